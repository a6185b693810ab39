import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { errorAdvice } from '../../../../src/contract/error-advice.ts'
import { BarChart } from '../../../ui/bar-chart.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Section } from '../../../ui/section.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { sitesQuery } from '../../api/sites.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { CodeText } from '../../shell/code-text.tsx'
import { type ErrorCount, type ErrorTotal, sumByCode, sumByTime } from './count-errors.ts'
import classes from './operations-page.module.css'
import { serviceOperations } from '../../../../src/contract/operations/service.ts'
import { queryOf } from '../../api/call.ts'
import { refreshMs } from './refresh.ts'
import { language } from '../../../words/language.ts'
import { say, sayError } from '../../../words/say.ts'

const periods = [
  { value: '24', label: say('Last 24 hours') },
  { value: '168', label: say('Last 7 days') },
  { value: '720', label: say('Last 30 days') },
] as const

/** Error replies by code over time, and what to do about them. */
export function ErrorCounts() {
  const [hours, setHours] = useState('24')
  const errors = useQuery({
    ...queryOf(serviceOperations.listErrorCounts, { query: { hours: Number(hours) } }),
    refetchInterval: refreshMs,
  })
  return (
    <Section
      title={say('Errors')}
      description={say('Error replies to requests. Not all are faults: some are wrong passwords or enforced limits.')}
      action={
        <div className={classes.period}>
          <SelectField label={say('Period')} value={hours} options={periods} onValueChange={setHours} />
        </div>
      }
    >
      <Loaded query={errors}>
        {({ items: counts }) =>
          counts.length === 0 ? (
            <EmptyState icon={<CircleCheck aria-hidden />} title={say('No errors')}>
              {say('No request was refused or failed in this period.')}
            </EmptyState>
          ) : (
            <ErrorReport counts={counts} hours={Number(hours)} />
          )
        }
      </Loaded>
    </Section>
  )
}

function ErrorReport({ counts, hours }: { counts: readonly ErrorCount[]; hours: number }) {
  const hoursOfBar = hours > 24 ? 24 : 1
  const bars = sumByTime(counts, { hours, hoursOfBar, now: Date.now() })
  const address = useReferenceAddress()
  return (
    <>
      <BarChart
        title={hoursOfBar === 1 ? say('Errors by hour') : say('Errors by day (UTC)')}
        rows={bars}
        rowTitle={hoursOfBar === 1 ? say('Hour') : say('Day')}
        labelOf={({ startsAt }) => (hoursOfBar === 1 ? hourOf : dayOf).format(startsAt)}
        series={[{ name: say('Errors'), tone: 'danger', valueOf: ({ count }) => count }]}
      />
      <DataTable
        caption={say('Errors by code')}
        columns={columns(address)}
        rows={sumByCode(counts)}
        keyOf={({ code }) => code}
      />
    </>
  )
}

const hourOf = new Intl.DateTimeFormat(language, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  hourCycle: 'h23',
  minute: '2-digit',
})
const dayOf = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })

function columns(address: string | null): [Column<ErrorTotal>, ...Column<ErrorTotal>[]] {
  return [
    {
      title: say('Code'),
      render: ({ code }) =>
        address === null ? (
          <code>{code}</code>
        ) : (
          <a href={`${address}#${code}`}>
            <code>{code}</code>
          </a>
        ),
    },
    { title: say('Errors'), align: 'end', render: ({ count }) => count.toLocaleString(language) },
    { title: say('Last seen'), render: ({ lastHour }) => <TimeText time={lastHour} /> },
    {
      title: say('What to do'),
      render: ({ code }) => {
        const { meaning, action } = sayError(code) ?? errorAdvice[code]
        return <CodeText text={`${meaning} ${action}`} />
      },
    },
  ]
}

/** The error reference is part of the demo site, which may have been deleted. */
function useReferenceAddress(): string | null {
  const sites = useQuery(sitesQuery)
  const own = sites.data?.find(({ source }) => source.kind === 'builtin' && source.location === 'default/docs')
  return own === undefined ? null : `/sites/${own.slug}/reference/errors`
}
