import { Link } from '@tanstack/react-router'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { AgentJobResource } from '../../../../src/contract/agent-job.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import { agentJobOperations } from '../../../../src/contract/operations/agent-jobs.ts'
import { call } from '../../api/call.ts'
import { useMay, useSession } from '../../api/session.ts'
import { BulkChange } from '../../forms/bulk-change.tsx'
import { describeJobState, nameJob } from './job-state.ts'
import classes from './job-table.module.css'
import { PullRequestLink } from './pull-request-link.tsx'
import { ListTable } from '../../shell/list-table.tsx'
import type { PagedList } from '../../api/use-pages.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { ReactNode } from 'react'
import { say } from '../../../words/say.ts'

export interface JobTableProps {
  list: PagedList<AgentJobResource>
  /** For their names; null on a site's own page. */
  sites: readonly SiteResource[] | null
  empty: ReactNode
}

export function JobTable({ list, sites, empty }: JobTableProps) {
  const mayDecide = useMay('editor')
  const columns: [Column<AgentJobResource>, ...Column<AgentJobResource>[]] = [
    { title: say('Job'), linksRow: true, sortBy: nameJob, render: (job) => <JobName job={job} /> },
    { title: say('State'), sortBy: (job) => describeJobState(job).label, render: (job) => <JobBadge job={job} /> },
    { title: say('Pull request'), render: ({ pullRequest }) => <PullRequestLink pullRequest={pullRequest} /> },
    {
      title: say('Files'),
      align: 'end',
      sortBy: ({ changes }) => changes.length,
      render: ({ changes }) => (changes.length === 0 ? '–' : changes.length),
    },
    {
      title: say('Created'),
      sortBy: ({ createdAt }) => createdAt,
      render: ({ createdAt }) => <TimeText time={createdAt} />,
    },
  ]
  if (sites !== null) {
    const names = new Map(sites.map(({ id, name }) => [id, name]))
    columns.splice(2, 0, {
      title: say('Site'),
      sortBy: ({ siteId }) => names.get(siteId) ?? null,
      render: ({ siteId }) => names.get(siteId) ?? say('Deleted site'),
    })
  }
  return (
    <ListTable
      list={list}
      caption={say('Jobs')}
      columns={columns}
      empty={empty}
      skeleton={<Skeleton count={5} />}
      isDimmed={({ archivedAt }) => archivedAt !== null}
      bulkActions={mayDecide ? (jobs) => <ArchiveJobs jobs={jobs} /> : undefined}
    />
  )
}

/** Active jobs cannot be archived. */
function ArchiveJobs({ jobs }: { jobs: readonly AgentJobResource[] }) {
  const send = (id: 'archiveJob' | 'unarchiveJob') => (job: AgentJobResource) =>
    call(agentJobOperations[id], { params: { id: job.id, projectId: job.projectId } })
  return (
    <BulkChange
      rows={jobs.filter(({ status, archivedAt }) => status !== 'active' && archivedAt === null)}
      send={send('archiveJob')}
      undo={send('unarchiveJob')}
      done={say('Archived')}
      stale={['listJobs']}
    >
      {say('Archive')}
    </BulkChange>
  )
}

function JobName({ job }: { job: AgentJobResource }) {
  const { organization } = useSession()
  return (
    <div className={classes.name}>
      <Link to="/$organization/jobs/$jobId" params={{ organization: organization.id, jobId: job.id }}>
        <VisibleText text={nameJob(job)} />
      </Link>
      <code className={classes.branch}>
        <VisibleText text={job.branch} />
      </code>
    </div>
  )
}

export function JobBadge({ job }: { job: AgentJobResource }) {
  const { tone, label } = describeJobState(job)
  return (
    <span className={classes.badges}>
      <Badge tone={tone}>{label}</Badge>
      {job.archivedAt === null ? null : <Badge>{say('Archived')}</Badge>}
    </span>
  )
}
