import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { GitMerge, GitPullRequest } from 'lucide-react'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { AgentJobResource } from '../../../../src/contract/agent-job.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { pullRequestQuery } from '../../api/pull-requests.ts'
import { useMay, useSession } from '../../api/session.ts'
import { sitesQuery } from '../../api/sites.ts'
import { siteWord } from '../../shell/places.ts'
import { PullRequestLink } from '../jobs/pull-request-link.tsx'
import { describeSiteState } from '../site/site-state.ts'
import { MergeDialog } from '../pull-requests/merge-dialog.tsx'
import classes from './job-page.module.css'
import { say } from '../../../words/say.ts'

/** The job's pull request and, once merged, the sync of its site. */
export function JobPullRequest({ job }: { job: AgentJobResource }) {
  const sites = useQuery(sitesQuery)
  const { pullRequest } = job
  if (pullRequest === null) return null
  const site = sites.data?.find(({ id }) => id === job.siteId)
  return (
    <Card aria-label={say('Pull request')}>
      <div className={classes.pullRequest}>
        <GitPullRequest size={18} aria-hidden />
        <span>{say('Pull request')}</span>
        <PullRequestLink pullRequest={pullRequest} />
        {pullRequest.state === 'open' && site?.source.kind === 'builtin' ? <MergeButton id={pullRequest.id} /> : null}
        {pullRequest.state === 'merged' && site !== undefined ? <SyncBadge site={site} /> : null}
      </div>
    </Card>
  )
}

/** Whether readers already see the change. */
function SyncBadge({ site }: { site: SiteResource }) {
  const { organization } = useSession()
  const { tone, label } = describeSiteState(site)
  return (
    <span className={classes.sync}>
      <Link to="/$organization/$domain" params={{ organization: organization.id, domain: siteWord(site) }}>
        {site.name}
      </Link>
      <Badge tone={tone}>{label}</Badge>
    </span>
  )
}

/** For the built-in host; on forges, users merge there. */
function MergeButton({ id }: { id: string }) {
  const mayMerge = useMay('editor')
  const pullRequest = useQuery({ ...pullRequestQuery(id), enabled: mayMerge })
  const [isOpen, setOpen] = useState(false)
  if (!mayMerge || pullRequest.data === undefined) return null
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <GitMerge size={16} aria-hidden /> {say('Merge …')}
      </Button>
      <MergeDialog pullRequest={isOpen ? pullRequest.data : null} onClose={() => setOpen(false)} />
    </>
  )
}
