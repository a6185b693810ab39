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
import { language } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'

type Insights = Reply<typeof insightOperations.getAgentInsights>
type Missed = Insights['searchedInVain'][number]

const classWords: Readonly<Record<string, string>> = {
  'coding-agent': say('Coding agent'),
  assistant: say('Assistant'),
  'assistant-search': say('Search of an assistant'),
  training: say('Training crawler'),
  program: say('Program'),
  agent: say('Agent'),
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
          <EmptyState icon={<Bot aria-hidden />} title={say('No agents yet')}>
            {say(
              'Coding agents, assistants and other programs that read the pages, or use the MCP server, are counted here.',
            )}
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
      <Section title={say('Agents')} description={say('By the name that each declares.')}>
        <DataTable
          caption={say('Agents')}
          columns={agentColumns(visits)}
          rows={byAgent}
          keyOf={({ class: kind, name }) => `${kind} ${name}`}
        />
      </Section>
      <div className={classes.pair}>
        <MissedTable title={say('Searches without results')} name={say('Search')} missed={searchedInVain} />
        <MissedTable title={say('Addresses not found')} name={say('Address')} missed={addressesInVain} />
      </div>
      {pages.length === 0 ? null : (
        <Section title={say('Most read pages')}>
          <DataTable
            caption={say('Most read pages')}
            columns={pageColumns(visits)}
            rows={pages}
            keyOf={({ path }) => path}
          />
        </Section>
      )}
      {feedback.length === 0 ? null : (
        <Section title={say('Feedback of agents')}>
          <DataTable
            caption={say('Feedback of agents')}
            columns={feedbackColumns}
            rows={feedback}
            keyOf={({ id }) => id}
          />
        </Section>
      )}
    </>
  )
}

type Columns<Row> = [Column<Row>, ...Column<Row>[]]

const agentColumns = (visits: number): Columns<Insights['byAgent'][number]> => [
  { title: say('Name'), sortBy: ({ name }) => name, render: ({ name }) => name },
  { title: say('Kind'), sortBy: (agent) => describeClass(agent.class), render: (agent) => describeClass(agent.class) },
  {
    title: say('Requests'),
    sortBy: ({ visits }) => visits,
    render: (agent) => (
      <Meter label={say('Requests: {name}', { name: agent.name })} value={agent.visits} max={visits} isPlain />
    ),
  },
  {
    title: say('In vain'),
    sortBy: ({ missed }) => missed,
    align: 'end',
    render: ({ missed }) => missed.toLocaleString(language),
  },
]

const pageColumns = (visits: number): Columns<Insights['pages'][number]> => [
  { title: say('Page'), sortBy: ({ path }) => path, render: ({ path }) => path },
  {
    title: say('Requests'),
    sortBy: ({ visits }) => visits,
    render: (page) => (
      <Meter label={say('Requests: {path}', { path: page.path })} value={page.visits} max={visits} isPlain />
    ),
  },
]

const feedbackColumns: Columns<Insights['feedback'][number]> = [
  { title: say('About'), sortBy: ({ path }) => path, render: ({ path }) => path ?? say('An answer') },
  { title: say('Feedback'), render: ({ helpful, note }) => note ?? (helpful ? say('Helpful') : say('Not helpful')) },
  {
    title: say('Sent'),
    sortBy: ({ createdAt }) => createdAt,
    render: ({ createdAt }) => <TimeText time={createdAt} />,
  },
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
    {
      title: say('Times'),
      sortBy: ({ count }) => count,
      align: 'end',
      render: ({ count }) => count.toLocaleString(language),
    },
    {
      title: say('Last'),
      sortBy: ({ lastDayAt }) => lastDayAt,
      render: ({ lastDayAt }) => <TimeText time={lastDayAt} />,
    },
  ]
  if (missed.length === 0) return null
  return (
    <Section title={title}>
      <DataTable caption={title} columns={columns} rows={missed} keyOf={({ text }) => text} />
    </Section>
  )
}
