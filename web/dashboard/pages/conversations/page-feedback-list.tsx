import type { SiteResource } from '../../../../src/contract/admin.ts'
import { feedbackOperations } from '../../../../src/contract/operations/feedback.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import type { ItemOf } from '../../api/call.ts'
import { usePages } from '../../api/use-pages.ts'
import { ListTable } from '../../shell/list-table.tsx'
import { say } from '../../../words/say.ts'

type Feedback = ItemOf<typeof feedbackOperations.listFeedback>

/** What readers of the pages that Docent serves say about them. Shows nothing before the first. */
export function PageFeedbackList({ site }: { site: SiteResource }) {
  const list = usePages(feedbackOperations.listFeedback, { query: { siteId: site.id, about: 'page' } })
  if (list.isFirst && !list.query.data?.items.length) return null
  return (
    <Section title={say('Feedback on pages')} description={say('One rating per page, network and day.')}>
      <ListTable list={list} caption={say('Feedback on pages')} columns={columnsOf(site)} empty={null} />
    </Section>
  )
}

function columnsOf({ slug }: SiteResource): [Column<Feedback>, ...Column<Feedback>[]] {
  return [
    { title: say('Page'), render: ({ path }) => <a href={`/sites/${slug}${path === '/' ? '' : path}`}>{path}</a> },
    {
      title: say('Helped'),
      render: ({ helpful }) => <Badge tone={helpful ? 'success' : 'warning'}>{helpful ? say('Yes') : say('No')}</Badge>,
    },
    { title: say('Comment'), render: ({ note }) => note ?? '–' },
    { title: say('Date'), render: ({ updatedAt }) => <TimeText time={updatedAt} /> },
  ]
}
