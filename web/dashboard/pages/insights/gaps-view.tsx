import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { PartyPopper } from 'lucide-react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { GapResource } from '../../../../src/contract/insights.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { Loaded } from '../../shell/loaded.tsx'
import { GapView } from './gap-view.tsx'
import { gapStates } from './gap-words.ts'
import classes from './insights-page.module.css'
import { type InsightsScope, useInsightsSearch } from './use-insights.ts'
import { insightOperations } from '../../../../src/contract/operations/insights.ts'
import { queryOf } from '../../api/call.ts'

export function GapsView({ scope }: { scope: InsightsScope }) {
  const { search } = useInsightsSearch()
  const site = scope.site ?? scope.sites[0]
  if (search.gap !== undefined) return <GapView id={search.gap} sites={scope.sites} />
  if (site !== undefined) return <GapList site={site} />
  return (
    <EmptyState icon={<PartyPopper aria-hidden />} title="No sites yet">
      Gaps are found in the questions asked about a site. Add a site first.
    </EmptyState>
  )
}

function GapList({ site }: { site: SiteResource }) {
  const gaps = useQuery({
    ...queryOf(insightOperations.listGaps, { query: { siteId: site.id, limit: 100 } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={gaps}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState icon={<PartyPopper aria-hidden />} title="No gaps">
            Questions of the last 90 days that {site.name} does not answer, and answers that did not help, are grouped
            here.
          </EmptyState>
        ) : (
          <GapTable gaps={items} />
        )
      }
    </Loaded>
  )
}

function GapTable({ gaps }: { gaps: readonly GapResource[] }) {
  const { change } = useInsightsSearch()
  const columns: [Column<GapResource>, ...Column<GapResource>[]] = [
    {
      title: 'A reader asked',
      sortBy: ({ name }) => name,
      render: (gap) => (
        <Button look="quiet" className={classes.follow} onClick={() => change({ gap: gap.id }, true)}>
          {gap.name}
        </Button>
      ),
    },
    {
      title: 'State',
      sortBy: ({ state }) => gapStates[state].label,
      render: ({ state }) => <Badge tone={gapStates[state].tone}>{gapStates[state].label}</Badge>,
    },
    { title: 'Questions', sortBy: ({ count }) => count, align: 'end', render: ({ count }) => count.toLocaleString() },
    {
      title: 'Unanswered',
      sortBy: ({ unanswered }) => unanswered,
      align: 'end',
      render: ({ unanswered }) => unanswered.toLocaleString(),
    },
    {
      title: 'Not helpful',
      sortBy: ({ unhelpful }) => unhelpful,
      align: 'end',
      render: ({ unhelpful }) => unhelpful.toLocaleString(),
    },
    {
      title: 'Last asked',
      sortBy: ({ lastAskedAt }) => lastAskedAt,
      render: ({ lastAskedAt }) => <TimeText time={lastAskedAt} />,
    },
  ]
  return (
    <DataTable
      caption="Gaps"
      columns={columns}
      rows={gaps}
      keyOf={({ id }) => id}
      isDimmed={({ state }) => state === 'mended'}
    />
  )
}
