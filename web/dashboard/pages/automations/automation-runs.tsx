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
import { say } from '../../../words/say.ts'

const tones: Readonly<Record<AutomationRunResource['state'], Tone>> = {
  queued: 'accent',
  started: 'success',
  skipped: 'neutral',
  failed: 'danger',
}
const labels = {
  queued: say('Queued'),
  started: say('Started'),
  skipped: say('Skipped'),
  failed: say('Failed'),
} as const
const causes = {
  manual: say('Manual'),
  schedule: say('Schedule'),
  push: say('Push'),
  merge: say('Merge in another repository'),
} as const

const columns: [Column<AutomationRunResource>, ...Column<AutomationRunResource>[]] = [
  { title: say('Run'), render: ({ createdAt }) => <TimeText time={createdAt} /> },
  { title: say('Trigger'), render: ({ cause }) => causes[cause] },
  { title: say('State'), render: ({ state }) => <Badge tone={tones[state]}>{labels[state]}</Badge> },
  { title: say('Outcome'), render: ({ outcome }) => (outcome === null ? '–' : <VisibleText text={outcome} />) },
  { title: say('Job'), render: ({ jobId }) => <RunJob jobId={jobId} /> },
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
    <EmptyState icon={<Play aria-hidden />} title={say('No runs yet')}>
      {say('Runs start by the trigger or with “Run now”.')}
    </EmptyState>
  )
  return <ListTable list={list} caption={say('Runs')} columns={columns} empty={empty} />
}

function RunJob({ jobId }: { jobId: string | null }) {
  const { organization } = useSession()
  if (jobId === null) return '–'
  return (
    <Link to="/$organization/jobs/$jobId" params={{ organization: organization.id, jobId }}>
      {say('Job')}
    </Link>
  )
}
