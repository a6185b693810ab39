import type { playgroundOperations } from '../../../../src/contract/operations/playground.ts'
import type { Reply } from '../../api/call.ts'

export type ExplainedSearch = Reply<typeof playgroundOperations.explainSearch>
export type ExplainedHit = ExplainedSearch['hits'][number]
import type { BarPart } from '../../../ui/stacked-bar.tsx'

/** Word scores of a passage, summed over the terms; the parts add up to the total word score. */
export function listHitParts({ words }: ExplainedHit): BarPart[] {
  const sum = (field: 'title' | 'headings' | 'body' | 'path') =>
    words.terms.reduce((total, term) => total + term[field], 0)
  return [
    { label: 'Text', value: sum('body') },
    { label: 'Title', value: sum('title') },
    { label: 'Headings', value: sum('headings') },
    { label: 'Path', value: sum('path') },
    { label: 'Other terms', value: words.otherTerms },
    { label: 'Whole page', value: words.page },
    { label: 'Neighbouring passage', value: words.neighbour },
    { label: 'Word proximity', value: words.proximity },
    { label: 'Page is the topic', value: words.topic },
  ]
}

/** Sentences on the ranking factors beyond the words. Factors without effect are omitted. */
export function listFactors({ boost, placeFactor, repetitionFactor, meaning, words }: ExplainedHit): string[] {
  return [
    ...(words.rank === null ? ['Found by meaning alone.'] : [`Ranked ${words.rank} by words alone.`]),
    ...(meaning === null ? [] : [`Ranked ${meaning.rank} by meaning (similarity ${meaning.nearness.toFixed(2)}).`]),
    ...(isOne(boost) ? [] : [`The page’s boost multiplies the score by ${boost.toFixed(2)}.`]),
    ...(isOne(placeFactor) ? [] : [`The reader’s current page multiplies the score by ${placeFactor.toFixed(2)}.`]),
    ...(isOne(repetitionFactor)
      ? []
      : [`Better passages of the same page multiply the score by ${repetitionFactor.toFixed(2)}.`]),
  ]
}

function isOne(factor: number): boolean {
  return Math.abs(factor - 1) < 0.005
}
