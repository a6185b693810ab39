import { Link } from '@tanstack/react-router'
import { MessageCircleQuestion } from 'lucide-react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { AskedQuestion } from '../../../../src/contract/insights.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { useSession } from '../../api/session.ts'
import { siteWord } from '../../shell/places.ts'
import classes from './insights-page.module.css'
import { describeCaller, describeFeedback, describeVerdict } from './question-words.ts'
import { toTestFormOf } from '../tests/test-form.ts'
import { siteColumn } from './site-column.ts'
import { type InsightsScope, useInsightsSearch } from './use-insights.ts'
import { insightOperations } from '../../../../src/contract/operations/insights.ts'
import { usePages } from '../../api/use-pages.ts'
import { ListTable } from '../../shell/list-table.tsx'
import { toQuestionQuery } from '../../api/insights.ts'
import { sayStored } from '../../shell/say-stored.ts'
import { say } from '../../../words/say.ts'

export function QuestionsView({ scope }: { scope: InsightsScope }) {
  const { search, change } = useInsightsSearch()
  const list = usePages(
    insightOperations.listQuestions,
    { query: toQuestionQuery(scope.filter) },
    { address: { shown: search.cursor, show: (cursor) => change({ cursor }, true) } },
  )
  const empty = (
    <EmptyState icon={<MessageCircleQuestion aria-hidden />} title={say('No questions')}>
      {say('No questions match these filters in this period. Widen the filters or come back later.')}
    </EmptyState>
  )
  const shown: Columns = [
    ...columns,
    ...(scope.site === null ? [siteColumn<AskedQuestion>(scope.sites)] : []),
    conversationColumn(scope),
  ]
  return <ListTable list={list} caption={say('Questions')} columns={shown} empty={empty} />
}

function conversationColumn({ sites }: InsightsScope): Column<AskedQuestion> {
  return {
    title: say('Conversation'),
    isTitleHidden: true,
    render: (asked) => <ConversationLink asked={asked} site={sites.find(({ id }) => id === asked.siteId)} />,
  }
}

/** Empty for a deleted site, whose conversations are deleted too. */
function ConversationLink({ asked, site }: { asked: AskedQuestion; site: SiteResource | undefined }) {
  const { organization } = useSession()
  if (site === undefined) return null
  const params = { organization: organization.id, domain: siteWord(site), thread: asked.threadId }
  const { question, pages } = toTestFormOf(asked, site.url)
  return (
    <>
      <Link to="/$organization/$domain/conversations/$thread" params={params}>
        {say('Conversation')}
      </Link>
      {' · '}
      <Link to="/$organization/$domain/tests" params={params} search={{ question, pages }}>
        {say('Make a test')}
      </Link>
    </>
  )
}

type Columns = [Column<AskedQuestion>, ...Column<AskedQuestion>[]]

const columns: Columns = [
  { title: say('Question'), render: (asked) => <QuestionText asked={asked} /> },
  {
    title: say('Answer'),
    render: ({ verdict }) => {
      const { tone, label } = describeVerdict(verdict)
      return <Badge tone={tone}>{label}</Badge>
    },
  },
  {
    title: say('Feedback'),
    render: ({ feedback }) => {
      const { tone, label } = describeFeedback(feedback)
      return feedback === 'none' ? (
        <span className={classes.muted}>{say('None')}</span>
      ) : (
        <Badge tone={tone}>{label}</Badge>
      )
    },
  },
  { title: say('Channel'), isExtra: true, render: ({ caller }) => describeCaller(caller) },
  {
    title: say('Version'),
    isExtra: true,
    render: ({ version }) => version ?? <span className={classes.muted}>–</span>,
  },
  { title: say('Asked'), render: ({ askedAt }) => <TimeText time={askedAt} /> },
]

/** The question, expandable to its answer and sources. */
function QuestionText({ asked }: { asked: AskedQuestion }) {
  const { question, answer, sources, triedPaths, verdictReasons } = asked
  return (
    <details className={classes.question}>
      <summary>{question === '' ? say('(no text)') : question}</summary>
      <div className={classes.answer}>
        <p className={classes.text}>{answer === '' ? say('The answer is empty.') : answer}</p>
        <Listed
          title={say('Cited')}
          items={sources.map(({ title, url }) => (title === '' ? url : `${title} (${url})`))}
        />
        <Listed title={say('Pages read')} items={triedPaths} />
        <Listed title={say('Reasons for the verdict')} items={verdictReasons.map(sayStored)} />
      </div>
    </details>
  )
}

function Listed({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <div>
      <strong>{title}</strong>
      <ul className={classes.stack}>
        {items.map((item, index) => (
          <li key={index} className={classes.muted}>
            {item}
          </li>
        ))}
      </ul>
    </div>
  )
}
