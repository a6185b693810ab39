import type { PullRequestViewResource } from '../../../../src/contract/pull-request-view.ts'
import { Section } from '../../../ui/section.tsx'
import { AnswerMarkdown } from '../../answers/answer-markdown.tsx'
import classes from './pull-request-page.module.css'
import { say } from '../../../words/say.ts'

const nothingLinked = [] as const

export function DescriptionSection({ pullRequest: { body } }: { pullRequest: PullRequestViewResource }) {
  return (
    <Section title={say('Description')}>
      {body.trim() === '' ? (
        <p className={classes.muted}>{say('No description.')}</p>
      ) : (
        <AnswerMarkdown text={body} sources={nothingLinked} />
      )}
    </Section>
  )
}
