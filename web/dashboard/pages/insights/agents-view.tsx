import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Bot } from 'lucide-react'
import { insightOperations } from '../../../../src/contract/operations/insights.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Meter } from '../../../ui/meter.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { queryOf, type Reply } from '../../api/call.ts'
import { insightsFreshMs, toQuestionQuery } from '../../api/insights.ts'
import { Loaded } from '../../shell/loaded.tsx'
import classes from './insights-page.module.css'
import type { InsightsScope } from './use-insights.ts'

type Insights = Reply<typeof insightOperations.getAgentInsights>
type Missed = Insights['searchedInVain'][number]

const classWords: Readonly<Record<string, string>> = {
  'coding-agent': 'Coding agent',
  assistant: 'Assistant',
  'assistant-search': 'Search of an assistant',
  training: 'Training crawler',
  program: 'Program',
  agent: 'Agent',
}

const describeClass = (name: string) => classWords[name] ?? name

/** What agents read and missed, apart from people. */
export function AgentsView({ scope: { filter } }: { scope: InsightsScope }) {
  const { siteId, from } = toQuestionQuery({ days: filter.days, siteId: filter.siteId })
  const insights = useQuery({
    ...queryOf(insightOperations.getAgentInsights, { query: { siteId, from } }),
    staleTime: insightsFreshMs,
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={insights}>
      {(insights) =>
        insights.visits === 0 && insights.feedback.length === 0 ? (
          <EmptyState icon={<Bot aria-hidden />} title="No agents yet">
            Coding agents, assistants and other programs that read the pages, or use the MCP server, are counted here.
          </EmptyState>
        ) : (
          <Agents insights={insights} />
        )
      }
    </Loaded>
  )
}

function Agents({ insights }: { insights: Insights }) {
  const { byAgent, pages, visits, searchedInVain, addressesInVain, feedback } = insights
  return (
    <>
      <Section title="Agents" description="By the name that each gives itself.">
        <DataTable
          caption="Agents"
          columns={agentColumns(visits)}
          rows={byAgent}
          keyOf={({ class: kind, name }) => `${kind} ${name}`}
        />
      </Section>
      <div className={classes.pair}>
        <MissedTable title="Searched in vain" name="Search" missed={searchedInVain} />
        <MissedTable title="Addresses tried in vain" name="Address" missed={addressesInVain} />
      </div>
      {pages.length === 0 ? null : (
        <Section title="Most read pages">
          <DataTable caption="Most read pages" columns={pageColumns(visits)} rows={pages} keyOf={({ path }) => path} />
        </Section>
      )}
      {feedback.length === 0 ? null : (
        <Section title="Feedback of agents">
          <DataTable caption="Feedback of agents" columns={feedbackColumns} rows={feedback} keyOf={({ id }) => id} />
        </Section>
      )}
    </>
  )
}

type Columns<Row> = [Column<Row>, ...Column<Row>[]]

const agentColumns = (visits: number): Columns<Insights['byAgent'][number]> => [
  { title: 'Name', sortBy: ({ name }) => name, render: ({ name }) => name },
  { title: 'Kind', sortBy: (agent) => describeClass(agent.class), render: (agent) => describeClass(agent.class) },
  {
    title: 'Requests',
    sortBy: ({ visits }) => visits,
    render: (agent) => <Meter label={`Requests: ${agent.name}`} value={agent.visits} max={visits} isPlain />,
  },
  { title: 'In vain', sortBy: ({ missed }) => missed, align: 'end', render: ({ missed }) => missed.toLocaleString() },
]

const pageColumns = (visits: number): Columns<Insights['pages'][number]> => [
  { title: 'Page', sortBy: ({ path }) => path, render: ({ path }) => path },
  {
    title: 'Requests',
    sortBy: ({ visits }) => visits,
    render: (page) => <Meter label={`Requests: ${page.path}`} value={page.visits} max={visits} isPlain />,
  },
]

const feedbackColumns: Columns<Insights['feedback'][number]> = [
  { title: 'About', sortBy: ({ path }) => path, render: ({ path }) => path ?? 'An answer' },
  { title: 'Feedback', render: ({ helpful, note }) => note ?? (helpful ? 'Helpful' : 'Not helpful') },
  { title: 'Sent', sortBy: ({ createdAt }) => createdAt, render: ({ createdAt }) => <TimeText time={createdAt} /> },
]

function MissedTable({ title, name, missed }: { title: string; name: string; missed: readonly Missed[] }) {
  const columns: Columns<Missed> = [
    {
      title: name,
      sortBy: ({ text }) => text,
      render: ({ text, agents }) => (
        <div className={classes.stack}>
          {text}
          <span className={classes.muted}>{agents.join(', ')}</span>
        </div>
      ),
    },
    { title: 'Times', sortBy: ({ count }) => count, align: 'end', render: ({ count }) => count.toLocaleString() },
    { title: 'Last', sortBy: ({ lastDayAt }) => lastDayAt, render: ({ lastDayAt }) => <TimeText time={lastDayAt} /> },
  ]
  if (missed.length === 0) return null
  return (
    <Section title={title}>
      <DataTable caption={title} columns={columns} rows={missed} keyOf={({ text }) => text} />
    </Section>
  )
}
