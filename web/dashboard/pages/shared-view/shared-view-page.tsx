import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { PublicTally, PublicView } from '../../../../src/contract/insight-views.ts'
import { insightViewOperations } from '../../../../src/contract/operations/insight-views.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { Meter } from '../../../ui/meter.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { ApiError } from '../../api/api-error.ts'
import { queryOf } from '../../api/call.ts'
import { BrandMark } from '../../shell/brand-mark.tsx'
import { usePageTitle } from '../../shell/current-place.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { metrics, MetricView } from '../../shell/metric-view.tsx'
import { fillBuckets } from '../insights/fill-buckets.ts'
import { describePeriod } from '../insights/insights-search.ts'
import { QuestionChart } from '../insights/question-chart.tsx'
import { describeAsker, describeCaller, describeFeedback, describeVerdict } from '../insights/question-words.ts'
import { EntryFrame } from '../sign-in/entry-frame.tsx'
import classes from './shared-view-page.module.css'
import { say, sayParts } from '../../../words/say.ts'

const route = getRouteApi('/shared')

/** Numbers of the insights, for anyone with the link. */
export function SharedViewPage() {
  const { token } = route.useSearch()
  const view = useQuery(queryOf(insightViewOperations.getPublicView, { query: { token } }))
  usePageTitle(view.data?.name ?? say('Shared numbers'))
  if (view.error instanceof ApiError && view.error.status === 404) {
    return (
      <EntryFrame title={say('This link does not work')}>
        <p>{view.error.message}</p>
      </EntryFrame>
    )
  }
  return (
    <main className={classes.page}>
      <Loaded query={view}>{(view) => <Numbers view={view} />}</Loaded>
    </main>
  )
}

function Numbers({ view }: { view: PublicView }) {
  const { name, organization, site, days, total, before, firstTextMs, byVerdict, byCaller, expiresAt } = view
  const buckets = view.buckets.map((bucket) => ({ ...bucket, costUsd: 0 }))
  const rows = fillBuckets({ ...view, buckets })
  return (
    <>
      <header className={classes.head}>
        <BrandMark />
        <h1 className={classes.title}>{name}</h1>
        <p className={classes.muted}>
          {[
            site === null ? say('All sites of {organization}', { organization }) : `${site}, ${organization}`,
            describePeriod(days),
            ...describeFilter(view),
          ].join(' · ')}
        </p>
      </header>
      <section className={classes.metrics} aria-label={say('Figures')}>
        {metrics
          .filter(({ name }) => name !== 'Cost' && (name !== 'First words' || firstTextMs !== null))
          .map((metric) => (
            <MetricView
              key={metric.name}
              metric={metric}
              current={toCounts(total, firstTextMs)}
              previous={metric.name === 'First words' ? null : toCounts(before, null)}
              series={rows.map((row) => ({ ...row, firstTextMs: null }))}
            />
          ))}
      </section>
      <QuestionChart rows={rows} bucket={view.bucket} />
      <div className={classes.pair}>
        <Shares title={say('By answer')} groups={byVerdict} nameOf={(value) => describeVerdict(value).label} />
        <Shares title={say('By channel')} groups={byCaller} nameOf={describeCaller} />
      </div>
      <p className={classes.muted}>
        {sayParts('Hours and days are UTC. This link expires {expiresAt}.', {
          expiresAt: <TimeText time={expiresAt} />,
        })}
      </p>
    </>
  )
}

function describeFilter({ filter: { verdict, feedback, caller, askedBy } }: PublicView): string[] {
  return [
    ...(verdict === undefined ? [] : [describeVerdict(verdict).label]),
    ...(feedback === undefined ? [] : [describeFeedback(feedback).label]),
    ...(caller === undefined ? [] : [describeCaller(caller)]),
    ...(askedBy === undefined ? [] : [describeAsker(askedBy)]),
  ]
}

const toCounts = (tally: PublicTally, firstTextMs: number | null) => ({ ...tally, costUsd: 0, firstTextMs })

interface Group {
  value: string
  questions: number
}

function Shares({ title, groups, nameOf }: { title: string; groups: readonly Group[]; nameOf(value: string): string }) {
  const total = groups.reduce((sum, { questions }) => sum + questions, 0)
  if (total === 0) return null
  return (
    <Section title={title}>
      <DataTable
        caption={title}
        columns={[
          { title: say('Name'), render: ({ value }: Group) => nameOf(value) },
          {
            title: say('Questions'),
            render: ({ value, questions }: Group) => (
              <Meter
                label={say('Questions: {value}', { value: nameOf(value) })}
                value={questions}
                max={total}
                isPlain
              />
            ),
          },
        ]}
        rows={groups}
        keyOf={({ value }) => value}
      />
    </Section>
  )
}
