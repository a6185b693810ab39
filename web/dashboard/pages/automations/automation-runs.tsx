import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import type { AutomationRunResource } from '../../../../src/contract/automations.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import { automationRunsQuery } from '../../api/automations.ts'
import { useCursorPages } from '../../api/cursor-pages.ts'
import { useSession } from '../../api/session.ts'
import { Loaded } from '../../shell/loaded.tsx'

const tones: Readonly<Record<AutomationRunResource['state'], Tone>> = {
  queued: 'accent',
  started: 'success',
  skipped: 'neutral',
  failed: 'danger',
}
const labels = { queued: 'Waiting', started: 'Started', skipped: 'Skipped', failed: 'Failed' } as const
const causes = { manual: 'by hand', schedule: 'at its time', push: 'a push', merge: 'a change elsewhere' } as const

const columns: [Column<AutomationRunResource>, ...Column<AutomationRunResource>[]] = [
  { title: 'Run', render: ({ createdAt }) => <TimeText time={createdAt} /> },
  { title: 'Because of', render: ({ cause }) => causes[cause] },
  { title: 'State', render: ({ state }) => <Badge tone={tones[state]}>{labels[state]}</Badge> },
  { title: 'Outcome', render: ({ outcome }) => (outcome === null ? '–' : <VisibleText text={outcome} />) },
  { title: 'Job', render: ({ jobId }) => <RunJob jobId={jobId} /> },
]

/** What became of each run, the newest first. */
export function AutomationRuns({ id }: { id: string }) {
  const { cursor, toTablePages } = useCursorPages()
  const runs = useQuery({ ...automationRunsQuery(id, cursor), placeholderData: keepPreviousData })
  return (
    <Loaded query={runs}>
      {({ items, nextCursor }) =>
        items.length === 0 && cursor === null ? (
          <EmptyState icon={<Play aria-hidden />} title="No run yet">
            It runs by its trigger, or when somebody asks for it here.
          </EmptyState>
        ) : (
          <DataTable
            caption="Runs"
            columns={columns}
            rows={items}
            keyOf={({ id }) => id}
            pages={toTablePages(nextCursor)}
          />
        )
      }
    </Loaded>
  )
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
