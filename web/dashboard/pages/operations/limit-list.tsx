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
import { language } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'

type LimitUse = ItemOf<typeof usageOperations.listLimitUsage>

const names: Readonly<Record<LimitUse['name'], string>> = {
  org: say('Answers'),
  search: say('Searches'),
  feedback: say('Feedback'),
  jobs: say('Agent jobs'),
  'site-cost': say('Cost of answers'),
}

const columns: [Column<LimitUse>, ...Column<LimitUse>[]] = [
  { title: say('Limit'), render: ({ name, window }) => `${names[name]} ${perWindow[window]}` },
  { title: say('Applies to'), render: ({ subject }) => subject.name },
  {
    title: say('Used'),
    render: ({ name, subject, used, max, unit }) => (
      <Meter
        label={say('{limit} of {name}', { limit: names[name], name: subject.name })}
        value={used}
        max={max}
        format={unit === 'usd' ? formatMoney : formatCount}
      />
    ),
  },
  { title: say('Resets'), render: ({ resetsAt }) => <TimeText time={resetsAt} /> },
]

const perWindow = { hour: say('per hour'), day: say('per day'), month: say('per month') } as const

function formatMoney(usd: number): string {
  return usd.toLocaleString(language, { style: 'currency', currency: 'USD' })
}

function formatCount(value: number): string {
  return value.toLocaleString(language)
}

export function LimitList() {
  const limits = useQuery({ ...queryOf(usageOperations.listLimitUsage), refetchInterval: refreshMs })
  return (
    <Section title={say('Limits')} description={say('The usage of each key is on the API keys page.')}>
      <Loaded query={limits}>
        {({ items: limits }) =>
          limits.length === 0 ? (
            <EmptyState icon={<Gauge aria-hidden />} title={say('No limits')}>
              {say('Nothing is limited. Limits can be set in the settings of the service.')}
            </EmptyState>
          ) : (
            <DataTable
              caption={say('Limits')}
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
