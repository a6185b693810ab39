import type { PullRequestViewResource } from '../../../../src/contract/pull-request-view.ts'
import { Badge } from '../../../ui/badge.tsx'
import { buttonLook } from '../../../ui/button.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import { describePullRequestState } from '../jobs/job-state.ts'
import { decisionId } from './pull-request-decision.tsx'
import classes from './pull-request-page.module.css'
import { say, sayParts } from '../../../words/say.ts'

/** Title and state of a pull request, and the way to its decision, which a long diff puts far below. */
export function PullRequestHead({ pullRequest }: { pullRequest: PullRequestViewResource }) {
  const { tone, label } = describePullRequestState(pullRequest)
  const { state, title, number, headBranch, baseBranch, repository, createdAt } = pullRequest
  return (
    <div className={classes.head}>
      <h1>
        <VisibleText text={title} /> <span className={classes.muted}>#{number}</span>
      </h1>
      <p className={classes.muted}>
        {sayParts('{label} {headBranch} into {baseBranch} of {repository}, opened {createdAt}', {
          label: <Badge tone={tone}>{label}</Badge>,
          headBranch: <code>{headBranch}</code>,
          baseBranch: <code>{baseBranch}</code>,
          repository,
          createdAt: <TimeText time={createdAt} />,
        })}
      </p>
      {state === 'open' ? (
        <p>
          <a href={`#${decisionId}`} className={buttonLook()}>
            {say('Merge or close')}
          </a>
        </p>
      ) : null}
    </div>
  )
}
