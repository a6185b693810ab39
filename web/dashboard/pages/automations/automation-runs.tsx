import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import type { AutomationRunResource } from '../../../../src/contract/automations.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import { useSession } from '../../api/session.ts'
import { automationOperations } from '../../../../src/contract/operations/automations.ts'
import { usePages } from '../../api/use-pages.ts'
import { ListTable } from '../../shell/list-table.tsx'

const tones: Readonly<Record<AutomationRunResource['state'], Tone>> = {
  queued: 'accent',
  started: 'success',
  skipped: 'neutral',
  failed: 'danger',
}
const labels = { queued: 'Queued', started: 'Started', skipped: 'Skipped', failed: 'Failed' } as const
const causes = { manual: 'Manual', schedule: 'Schedule', push: 'Push', merge: 'Merge in another repository' } as const

const columns: [Column<AutomationRunResource>, ...Column<AutomationRunResource>[]] = [
  { title: 'Run', render: ({ createdAt }) => <TimeText time={createdAt} /> },
  { title: 'Trigger', render: ({ cause }) => causes[cause] },
  { title: 'State', render: ({ state }) => <Badge tone={tones[state]}>{labels[state]}</Badge> },
  { title: 'Outcome', render: ({ outcome }) => (outcome === null ? '–' : <VisibleText text={outcome} />) },
  { title: 'Job', render: ({ jobId }) => <RunJob jobId={jobId} /> },
]

/** Polling interval while a run is queued. */
const runsReadMs = 3_000

/** Runs of an automation, newest first. */
export function AutomationRuns({ id }: { id: string }) {
  const list = usePages(
    automationOperations.listAutomationRuns,
    { params: { id } },
    {
      rowsOfPage: 10,
      refetchInterval: (page) => (page?.items.some(({ state }) => state === 'queued') === true ? runsReadMs : false),
    },
  )
  const empty = (
    <EmptyState icon={<Play aria-hidden />} title="No runs yet">
      Runs start by the trigger or with “Run now”.
    </EmptyState>
  )
  return <ListTable list={list} caption="Runs" columns={columns} empty={empty} />
}

function RunJob({ jobId }: { jobId: string | null }) {
  const { organization } = useSession()
  if (jobId === null) return '–'
  return (
    <Link to="/$organization/jobs/$jobId" params={{ organization: organization.id, jobId }}>
      Job
    </Link>
  )
}
