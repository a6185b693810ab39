import type { AgentJobResource } from '../../../../src/contract/agent-job.ts'
import { Badge } from '../../../ui/badge.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { isOwnAddress, toOwnAddress } from '../../api/own-address.ts'
import { describePullRequestState } from './job-state.ts'
import classes from './job-table.module.css'
import { say } from '../../../words/say.ts'

export function PullRequestLink({ pullRequest }: { pullRequest: AgentJobResource['pullRequest'] }) {
  if (pullRequest === null) return <span className={classes.muted}>–</span>
  const { tone, label } = describePullRequestState(pullRequest)
  const number = /\/(\d+)$/.exec(pullRequest.url)?.[1]
  const name = number === undefined ? say('Pull request') : `#${number}`
  return (
    <span className={classes.link}>
      {isOwnAddress(pullRequest.url) ? (
        <a href={toOwnAddress(pullRequest.url)}>{name}</a>
      ) : (
        <ExternalLink href={pullRequest.url}>{name}</ExternalLink>
      )}
      <Badge tone={tone}>{label}</Badge>
    </span>
  )
}
