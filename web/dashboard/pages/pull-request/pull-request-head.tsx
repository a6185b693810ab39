import type { PullRequestViewResource } from '../../../../src/contract/pull-request-view.ts'
import { Badge } from '../../../ui/badge.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import { describePullRequestState } from '../jobs/job-state.ts'
import classes from './pull-request-page.module.css'
import { sayParts } from '../../../words/say.ts'

/** Title and state of a pull request. */
export function PullRequestHead({ pullRequest }: { pullRequest: PullRequestViewResource }) {
  const { tone, label } = describePullRequestState(pullRequest)
  const { title, number, headBranch, baseBranch, repository, createdAt } = pullRequest
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
    </div>
  )
}
