import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Meter } from '../../../ui/meter.tsx'
import { Loaded } from '../../shell/loaded.tsx'
import classes from './insights-page.module.css'
import { outcomeColumns } from './outcome-columns.tsx'
import { type InsightsScope, useInsightsSearch } from './use-insights.ts'
import { insightOperations } from '../../../../src/contract/operations/insights.ts'
import { type ItemOf, queryOf } from '../../api/call.ts'
import { insightsFreshMs, toQuestionQuery } from '../../api/insights.ts'
import { say } from '../../../words/say.ts'

/** Longest text that the service searches for. */
const searchCharsMax = 200

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
          <EmptyState icon={<MessagesSquare aria-hidden />} title={say('No topics yet')}>
            {say('Questions on the same topic appear here in groups, most asked first.')}
          </EmptyState>
        ) : (
          <TopicTable topics={items} questions={questions} />
        )
      }
    </Loaded>
  )
}

function TopicTable({ topics, questions }: { topics: readonly Topic[]; questions: number }) {
  const columns: [Column<Topic>, ...Column<Topic>[]] = [
    {
      title: say('Readers ask'),
      sortBy: ({ name }) => name,
      render: (topic) => <TopicQuestions topic={topic} />,
    },
    {
      title: say('Questions'),
      sortBy: ({ questions }) => questions,
      render: (topic) => (
        <Meter
          label={say('Questions about {name}', { name: topic.name })}
          value={topic.questions}
          max={questions}
          isPlain
        />
      ),
    },
    ...outcomeColumns,
  ]
  return (
    <DataTable
      caption={say('Topics')}
      columns={columns}
      rows={topics}
      keyOf={({ name, lastAskedAt }) => `${name} ${lastAskedAt}`}
    />
  )
}

/** The question that names the topic; opened, it lists others, which lead to their conversations. */
function TopicQuestions({ topic: { name, examples } }: { topic: Topic }) {
  const { change } = useInsightsSearch()
  return (
    <details className={classes.question}>
      <summary>{name}</summary>
      <ul className={classes.stack}>
        {examples.map((example) => (
          <li key={example}>
            <Button
              look="quiet"
              className={classes.follow}
              onClick={() => change({ view: 'questions', search: example.slice(0, searchCharsMax) }, true)}
            >
              {example}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}
