import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Meter } from '../../../ui/meter.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { Loaded } from '../../shell/loaded.tsx'
import classes from './insights-page.module.css'
import { type InsightsScope, useInsightsSearch } from './use-insights.ts'
import { insightOperations } from '../../../../src/contract/operations/insights.ts'
import { type ItemOf, queryOf } from '../../api/call.ts'
import { insightsFreshMs, toQuestionQuery } from '../../api/insights.ts'

type Topic = ItemOf<typeof insightOperations.listTopics>

export function TopicsView({ scope }: { scope: InsightsScope }) {
  const topics = useQuery({
    ...queryOf(insightOperations.listTopics, { query: { ...toQuestionQuery(scope.filter), limit: 50 } }),
    staleTime: insightsFreshMs,
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={topics}>
      {({ items, questions }) =>
        items.length === 0 ? (
          <EmptyState icon={<MessagesSquare aria-hidden />} title="No topics yet">
            Questions with similar wording are grouped here, most asked first.
          </EmptyState>
        ) : (
          <TopicTable topics={items} questions={questions} />
        )
      }
    </Loaded>
  )
}

function TopicTable({ topics, questions }: { topics: readonly Topic[]; questions: number }) {
  const { change } = useInsightsSearch()
  const columns: [Column<Topic>, ...Column<Topic>[]] = [
    {
      title: 'Topic',
      render: ({ terms }) => (
        <Button
          look="quiet"
          className={classes.follow}
          onClick={() => change({ view: 'questions', search: terms[0] }, true)}
        >
          {terms.join(', ')}
        </Button>
      ),
    },
    {
      title: 'Questions',
      render: (topic) => (
        <Meter label={`Questions about ${topic.terms.join(', ')}`} value={topic.questions} max={questions} isPlain />
      ),
    },
    { title: 'Unanswered', align: 'end', render: ({ unanswered }) => unanswered.toLocaleString() },
    { title: 'Not helpful', align: 'end', render: ({ unhelpful }) => unhelpful.toLocaleString() },
    {
      title: 'Examples',
      render: ({ examples }) => (
        <ul className={classes.stack}>
          {examples.map((example, index) => (
            <li key={index}>{example}</li>
          ))}
        </ul>
      ),
    },
    { title: 'Last asked', render: ({ lastAskedAt }) => <TimeText time={lastAskedAt} /> },
  ]
  return <DataTable caption="Topics" columns={columns} rows={topics} keyOf={({ terms }) => terms.join(' ')} />
}
