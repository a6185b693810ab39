import type { PullRequestViewResource } from '../../../../src/contract/pull-request-view.ts'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import classes from './pull-request-page.module.css'
import { say } from '../../../words/say.ts'

export function CommitsSection({ commits }: Pick<PullRequestViewResource, 'commits'>) {
  return (
    <Section title={say('Commits ({commits})', { commits: commits.length })}>
      {commits.length === 0 ? <p className={classes.muted}>{say('The base branch contains all commits.')}</p> : null}
      <ol className={classes.rows}>
        {commits.map(({ commit, title, authorName, authoredAt }, index) => (
          <li key={index}>
            <code>{commit}</code> <VisibleText text={title} />
            <p className={classes.muted}>
              <VisibleText text={authorName} />, <TimeText time={authoredAt} />
            </p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
