import { useQuery } from '@tanstack/react-query'
import { keyOperations } from '../../../../src/contract/operations/keys.ts'
import { type ChipFilter, FilterChips } from '../../../ui/filter-chips.tsx'
import { listOf } from '../../api/call.ts'
import { siteWord } from '../../shell/places.ts'
import { describeBucket } from './fill-buckets.ts'
import { gapStates } from './gap-words.ts'
import { describePeriod, type InsightsSearch, type InsightsView, periods, readDays } from './insights-search.ts'
import {
  askers,
  callers,
  describeAsker,
  describeCaller,
  describeFeedback,
  describeVerdict,
  feedbackStates,
  verdicts,
} from './question-words.ts'
import { type InsightsScope, useInsightsSearch } from './use-insights.ts'
import { say } from '../../../words/say.ts'

/** Filters of the views. Gaps always cover 90 days, and what agents read has no questions. */
export function InsightsFilters({ scope, view }: { scope: InsightsScope; view: InsightsView }) {
  const { search } = useInsightsSearch()
  const filters = useFilters(scope)
  if (view === 'gaps' && search.gap !== undefined) return null
  const { site, state, period, day, ...ofQuestions } = filters
  const shown =
    view === 'gaps'
      ? [site, state]
      : view === 'agents'
        ? [site, period]
        : [site, period, day, ...Object.values(ofQuestions)]
  return <FilterChips label={say('Filters')} filters={shown.filter((filter) => filter !== null)} />
}

function useFilters({ isSitePage, sites }: InsightsScope) {
  const { search, change } = useInsightsSearch()
  const keys = useQuery(listOf(keyOperations.listKeys)).data ?? []
  // The service validates values; an empty one does not filter.
  const filter = (name: keyof InsightsSearch, label: string, more: Partial<ChipFilter> = {}): ChipFilter => ({
    label,
    value: String(search[name] ?? ''),
    onValueChange: (value) => change({ [name]: value === '' ? undefined : value }),
    ...more,
  })
  const choicesOf = <Value extends string>(values: readonly Value[], labelOf: (value: Value) => string) => ({
    choices: values.map((value) => ({ value, label: labelOf(value) })),
  })
  const siteChoices = [
    { value: '', label: say('All') },
    ...sites.map((site) => ({ value: siteWord(site), label: site.name })),
  ]
  return {
    site: isSitePage
      ? null
      : filter('site', say('Site'), {
          choices: siteChoices,
          isFixed: true,
          onValueChange: (site) => change({ site: site === '' ? undefined : site, gap: undefined }),
        }),
    state: filter('state', say('State'), {
      ...choicesOf(Object.keys(gapStates) as (keyof typeof gapStates)[], (state) => gapStates[state].label), // Its own keys.
    }),
    period: filter('days', say('Period'), {
      value: String(readDays(search)),
      choices: periods.map((days) => ({ value: String(days), label: describePeriod(days) })),
      isFixed: true,
      onValueChange: (days) => change({ days: Number(days), at: undefined }),
    }),
    day:
      search.at === undefined
        ? null
        : filter(
            'at',
            say('Only'),
            choicesOf([search.at], (at) => describeBucket(at, search.days === 1 ? 'hour' : 'day')),
          ),
    verdict: filter(
      'verdict',
      say('Answer'),
      choicesOf(verdicts, (verdict) => describeVerdict(verdict).label),
    ),
    feedback: filter(
      'feedback',
      say('Feedback'),
      choicesOf(feedbackStates, (state) => describeFeedback(state).label),
    ),
    askedBy: filter('askedBy', say('Asked by'), choicesOf(askers, describeAsker)),
    caller: filter('caller', say('Channel'), choicesOf(callers, describeCaller)),
    keyId: filter('keyId', say('Key'), {
      choices: keys.filter(({ kind }) => kind === 'assistant').map(({ id, name }) => ({ value: id, label: name })),
    }),
    search: filter('search', say('Contains'), { charsMax: 200, placeholder: say('retry') }),
    page: filter('page', say('Cites'), { charsMax: 1_000, placeholder: '/guides/install' }),
    language: filter('language', say('Language'), { charsMax: 50, placeholder: 'de' }),
    version: filter('version', say('Version'), { charsMax: 200, placeholder: '4.2' }),
  }
}
