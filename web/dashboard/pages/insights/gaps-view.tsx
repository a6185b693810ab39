import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PartyPopper } from 'lucide-react'
import type { GapResource } from '../../../../src/contract/insights.ts'
import { Badge } from '../../../ui/badge.tsx'
import { siteColumn } from './site-column.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Loaded } from '../../shell/loaded.tsx'
import { GapView } from './gap-view.tsx'
import { gapStates } from './gap-words.ts'
import { outcomeColumns } from './outcome-columns.tsx'
import { type InsightsScope, useInsightsSearch } from './use-insights.ts'
import { insightOperations } from '../../../../src/contract/operations/insights.ts'
import { queryOf } from '../../api/call.ts'
import { language } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'

export function GapsView({ scope }: { scope: InsightsScope }) {
  const { search } = useInsightsSearch()
  return search.gap === undefined ? <GapList scope={scope} /> : <GapView id={search.gap} sites={scope.sites} />
}

function GapList({ scope }: { scope: InsightsScope }) {
  const { state } = useInsightsSearch().search
  const gaps = useQuery({
    ...queryOf(insightOperations.listGaps, { query: { siteId: scope.site?.id, state, limit: 100 } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={gaps}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState
            icon={<PartyPopper aria-hidden />}
            title={state === undefined ? say('No gaps') : say('No gaps with this status')}
          >
            {say(
              'Questions of the last 90 days that no page answers, or whose answers did not help, appear here in groups.',
            )}
          </EmptyState>
        ) : (
          <GapTable gaps={items} scope={scope} />
        )
      }
    </Loaded>
  )
}

function GapTable({ gaps, scope: { site, sites } }: { gaps: readonly GapResource[]; scope: InsightsScope }) {
  const columns: [Column<GapResource>, ...Column<GapResource>[]] = [
    {
      title: say('A reader asked'),
      sortBy: ({ name }) => name,
      linksRow: true,
      render: (gap) => (
        <Link to="." search={((search: object) => ({ ...search, gap: gap.id })) as never /* As this page reads it. */}>
          {gap.name}
        </Link>
      ),
    },
    ...(site === null ? [siteColumn(sites)] : []),
    {
      title: say('State'),
      sortBy: ({ state }) => gapStates[state].label,
      render: ({ state }) => <Badge tone={gapStates[state].tone}>{gapStates[state].label}</Badge>,
    },
    {
      title: say('Questions'),
      sortBy: ({ count }) => count,
      align: 'end',
      render: ({ count }) => count.toLocaleString(language),
    },
    ...outcomeColumns,
  ]
  return (
    <DataTable
      caption={say('Gaps')}
      columns={columns}
      rows={gaps}
      keyOf={({ id }) => id}
      isDimmed={({ state }) => state === 'fixed'}
    />
  )
}
