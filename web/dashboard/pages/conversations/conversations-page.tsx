import { getRouteApi, Link } from '@tanstack/react-router'
import { MessagesSquare } from 'lucide-react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { describeVerdict, verdictOptions } from '../../answers/verdicts.ts'
import { SiteScope } from '../../shell/site-scope.tsx'
import { threadOperations } from '../../../../src/contract/operations/threads.ts'
import { usePages } from '../../api/use-pages.ts'
import { ListTable } from '../../shell/list-table.tsx'
import type { ListedThread } from '../../../../src/contract/threads.ts'
import { PageFeedbackList } from './page-feedback-list.tsx'
import { type ConversationFilter, parseConversationFilter } from './conversation-filter.ts'
import { language } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'

const route = getRouteApi('/signed-in/$organization/$domain/conversations')

const feedbackOptions = [
  { value: '', label: say('Any') },
  { value: 'helpful', label: say('Helpful') },
  { value: 'unhelpful', label: say('Not helpful') },
]

const columns: [Column<ListedThread>, ...Column<ListedThread>[]] = [
  { title: say('First question'), linksRow: true, render: (thread) => <ThreadLink thread={thread} /> },
  { title: say('Questions'), align: 'end', render: ({ questions }) => questions.toLocaleString(language) },
  { title: say('Latest answer'), render: ({ verdict }) => <VerdictBadge verdict={verdict} /> },
  { title: say('Reader'), render: ({ fp }) => fp },
  { title: say('Last activity'), render: ({ updatedAt }) => <TimeText time={updatedAt} /> },
]

export function ConversationsPage() {
  const filter = route.useSearch()
  return (
    <>
      <PageHeader title={say('Conversations')}>
        {say(
          'Reader questions and their answers, as stored. Secrets and personal data are masked unless masking is turned off.',
        )}
      </PageHeader>
      <SiteScope>
        {(site) => (
          <>
            <Filters filter={filter} />
            <ConversationList key={`${site.id} ${JSON.stringify(filter)}`} site={site} filter={filter} />
            <PageFeedbackList site={site} />
          </>
        )}
      </SiteScope>
    </>
  )
}

function Filters({ filter }: { filter: ConversationFilter }) {
  const navigate = route.useNavigate()
  const apply = (part: Partial<Record<keyof ConversationFilter, string>>) => {
    const given = Object.entries({ ...filter, ...part }).filter(([, value]) => value !== '')
    void navigate({ search: parseConversationFilter(Object.fromEntries(given)) })
  }
  return (
    <FilterChips
      label={say('Filter conversations')}
      filters={[
        {
          label: say('Text'),
          value: filter.search ?? '',
          isFixed: true,
          charsMax: 200,
          placeholder: say('Question or answer'),
          onValueChange: (search) => apply({ search }),
        },
        {
          label: say('Verdict'),
          value: filter.verdict ?? '',
          isFixed: true,
          choices: verdictOptions,
          onValueChange: (verdict) => apply({ verdict }),
        },
        {
          label: say('Feedback'),
          value: filter.feedback ?? '',
          isFixed: true,
          choices: feedbackOptions,
          onValueChange: (feedback) => apply({ feedback }),
        },
      ]}
    />
  )
}

function ConversationList({ site, filter }: { site: SiteResource; filter: ConversationFilter }) {
  const list = usePages(threadOperations.listThreads, { params: { id: site.id }, query: filter })
  const isFiltered = Object.keys(filter).length > 0
  const empty = (
    <EmptyState
      icon={<MessagesSquare aria-hidden />}
      title={isFiltered ? say('No matching conversations') : say('No conversations yet')}
    >
      {isFiltered
        ? say('No conversation matches these filters.')
        : say('Reader questions appear here once they are answered.')}
    </EmptyState>
  )
  return <ListTable list={list} caption={say('Conversations')} columns={columns} empty={empty} />
}

function ThreadLink({ thread: { id, question } }: { thread: ListedThread }) {
  const params = route.useParams()
  return (
    <Link to="/$organization/$domain/conversations/$thread" params={{ ...params, thread: id }}>
      {question === null || question.trim() === '' ? id : question}
    </Link>
  )
}

function VerdictBadge({ verdict }: { verdict: string | null }) {
  if (verdict === null) return '–'
  const { tone, label } = describeVerdict(verdict)
  return <Badge tone={tone}>{label}</Badge>
}
