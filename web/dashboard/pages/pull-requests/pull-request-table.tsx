import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleX, Ellipsis, GitMerge, GitPullRequest } from 'lucide-react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { PullRequestResource } from '../../../../src/contract/pull-requests.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import { toOwnAddress } from '../../api/own-address.ts'
import { closePullRequest, reopenPullRequest } from '../../api/pull-requests.ts'
import { BulkChange } from '../../forms/bulk-change.tsx'
import { pullRequestQueries } from './merge-dialog.tsx'
import { useSession } from '../../api/session.ts'
import { sitesQuery } from '../../api/sites.ts'
import { siteWord } from '../../shell/places.ts'
import { describePullRequestState } from '../jobs/job-state.ts'
import { describeSiteState } from '../site/site-state.ts'
import classes from './pull-request-table.module.css'
import { ListTable } from '../../shell/list-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { PagedList } from '../../api/use-pages.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { say } from '../../../words/say.ts'

type Act = (pullRequest: PullRequestResource) => void

export interface PullRequestTableProps {
  list: PagedList<PullRequestResource>
  /** Omitted for users who may not merge or close. */
  onMerge?: Act
  onClose?: Act
}

export function PullRequestTable({ list, onMerge, onClose }: PullRequestTableProps) {
  const sites = useQuery(sitesQuery)
  const columns: [Column<PullRequestResource>, ...Column<PullRequestResource>[]] = [
    {
      title: say('Pull request'),
      linksRow: true,
      sortBy: ({ title }) => title,
      render: (each) => <PullRequestName pullRequest={each} />,
    },
    {
      title: say('State'),
      sortBy: (each) => describePullRequestState(each).label,
      render: (each) => {
        const { tone, label } = describePullRequestState(each)
        return <Badge tone={tone}>{label}</Badge>
      },
    },
    { title: say('Sites'), render: (each) => <FollowingSites pullRequest={each} sites={sites.data ?? []} /> },
    { title: say('Job'), render: ({ jobId }) => <JobLink jobId={jobId} /> },
    {
      title: say('Opened'),
      sortBy: ({ createdAt }) => createdAt,
      render: ({ createdAt }) => <TimeText time={createdAt} />,
    },
  ]
  if (onMerge !== undefined && onClose !== undefined) {
    columns.push({
      title: say('Actions'),
      isTitleHidden: true,
      align: 'end',
      render: (each) =>
        each.state === 'open' ? <PullRequestActions pullRequest={each} onMerge={onMerge} onClose={onClose} /> : null,
    })
  }
  return (
    <ListTable
      list={list}
      caption={say('Pull requests')}
      columns={columns}
      skeleton={<Skeleton count={5} />}
      bulkActions={onClose === undefined ? undefined : (chosen) => <ClosePullRequests chosen={chosen} />}
      empty={
        <EmptyState icon={<GitPullRequest aria-hidden />} title={say('No pull requests')}>
          {say('Agent jobs open them, and so can you for a branch you have pushed.')}
        </EmptyState>
      }
    />
  )
}

function ClosePullRequests({ chosen }: { chosen: readonly PullRequestResource[] }) {
  return (
    <BulkChange
      rows={chosen.filter(({ state }) => state === 'open')}
      send={({ id }) => closePullRequest(id)}
      undo={({ id }) => reopenPullRequest(id)}
      done={say('Closed')}
      stale={pullRequestQueries}
    >
      {say('Close without merging')}
    </BulkChange>
  )
}

function PullRequestName({ pullRequest }: { pullRequest: PullRequestResource }) {
  const { title, number, url, repository, head, base } = pullRequest
  return (
    <div className={classes.name}>
      <a href={toOwnAddress(url)}>
        <VisibleText text={title} />
      </a>
      <span className={classes.place}>
        {repository} #{number}: <VisibleText text={head.branch} /> → <VisibleText text={base.branch} />
      </span>
    </div>
  )
}

/** Sites built from the repository. Their state shows whether merged changes are published. */
function FollowingSites({ pullRequest, sites }: { pullRequest: PullRequestResource; sites: readonly SiteResource[] }) {
  const { organization } = useSession()
  const following = sites.filter(
    ({ source }) => source.kind === 'builtin' && source.location === pullRequest.repository,
  )
  if (following.length === 0) return <span className={classes.place}>{say('None')}</span>
  return (
    <ul className={classes.sites}>
      {following.map((site) => {
        const { tone, label } = describeSiteState(site)
        return (
          <li key={site.id}>
            <Link to="/$organization/$domain" params={{ organization: organization.id, domain: siteWord(site) }}>
              {site.name}
            </Link>{' '}
            {pullRequest.state === 'merged' ? <Badge tone={tone}>{label}</Badge> : null}
          </li>
        )
      })}
    </ul>
  )
}

function JobLink({ jobId }: { jobId: string | null }) {
  const { organization } = useSession()
  if (jobId === null) return <span className={classes.place}>–</span>
  return (
    <Link to="/$organization/jobs/$jobId" params={{ organization: organization.id, jobId }}>
      {say('Job')}
    </Link>
  )
}

function PullRequestActions({
  pullRequest,
  onMerge,
  onClose,
}: {
  pullRequest: PullRequestResource
  onMerge: Act
  onClose: Act
}) {
  return (
    <Menu
      trigger={
        <IconButton size="small" label={say('Actions for pull request #{number}', { number: pullRequest.number })}>
          <Ellipsis size={17} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem icon={<GitMerge size={16} aria-hidden />} onSelect={() => onMerge(pullRequest)}>
        {say('Merge …')}
      </MenuItem>
      <MenuItem icon={<CircleX size={16} aria-hidden />} isDangerous onSelect={() => onClose(pullRequest)}>
        {say('Close without merging')}
      </MenuItem>
    </Menu>
  )
}
