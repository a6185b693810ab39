import { useQuery } from '@tanstack/react-query'
import { Gauge } from 'lucide-react'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Meter } from '../../../ui/meter.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { Loaded } from '../../shell/loaded.tsx'
import { usageOperations } from '../../../../src/contract/operations/usage.ts'
import { type ItemOf, queryOf } from '../../api/call.ts'
import { refreshMs } from './refresh.ts'

type LimitUse = ItemOf<typeof usageOperations.listLimitUsage>

const names: Readonly<Record<LimitUse['name'], string>> = {
  org: 'Answers',
  search: 'Searches',
  feedback: 'Feedback',
  jobs: 'Agent jobs',
  'site-cost': 'Cost of answers',
}

const columns: [Column<LimitUse>, ...Column<LimitUse>[]] = [
  { title: 'Limit', render: ({ name, window }) => `${names[name]} ${perWindow[window]}` },
  { title: 'Applies to', render: ({ subject }) => subject.name },
  {
    title: 'Used',
    render: ({ name, subject, used, max, unit }) => (
      <Meter
        label={`${names[name]} of ${subject.name}`}
        value={used}
        max={max}
        format={unit === 'usd' ? formatMoney : formatCount}
      />
    ),
  },
  { title: 'Resets', render: ({ resetsAt }) => <TimeText time={resetsAt} /> },
]

const perWindow = { hour: 'per hour', day: 'per day', month: 'per month' } as const

function formatMoney(usd: number): string {
  return usd.toLocaleString('en', { style: 'currency', currency: 'USD' })
}

function formatCount(value: number): string {
  return value.toLocaleString()
}

export function LimitList() {
  const limits = useQuery({ ...queryOf(usageOperations.listLimitUsage), refetchInterval: refreshMs })
  return (
    <Section title="Limits" description="The usage of each key is on the API keys page.">
      <Loaded query={limits}>
        {({ items: limits }) =>
          limits.length === 0 ? (
            <EmptyState icon={<Gauge aria-hidden />} title="No limits">
              Nothing is limited. Limits can be set in the settings of the service.
            </EmptyState>
          ) : (
            <DataTable
              caption="Limits"
              columns={columns}
              rows={limits}
              keyOf={({ name, subject }) => `${name} ${subject.kind} ${subject.id}`}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
