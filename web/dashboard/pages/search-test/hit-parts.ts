import type { playgroundOperations } from '../../../../src/contract/operations/playground.ts'
import type { Reply } from '../../api/call.ts'

export type ExplainedSearch = Reply<typeof playgroundOperations.explainSearch>
export type ExplainedHit = ExplainedSearch['hits'][number]
import type { BarPart } from '../../../ui/stacked-bar.tsx'

/** What the words of a query gave a passage, added up over the terms: the parts sum up to the value by words. */
export function listHitParts({ words }: ExplainedHit): BarPart[] {
  const sum = (field: 'title' | 'headings' | 'body' | 'path') =>
    words.terms.reduce((total, term) => total + term[field], 0)
  return [
    { label: 'Text', value: sum('body') },
    { label: 'Title', value: sum('title') },
    { label: 'Headings', value: sum('headings') },
    { label: 'Path', value: sum('path') },
    { label: 'Other terms', value: words.otherTerms },
    { label: 'The page as a whole', value: words.page },
    { label: 'The passage beside it', value: words.neighbour },
    { label: 'Nearness of the words', value: words.proximity },
  ]
}

/** What multiplies a passage besides its words, in sentences. Nothing of what changes nothing. */
export function listFactors({ boost, placeFactor, repetitionFactor, meaning, words }: ExplainedHit): string[] {
  return [
    ...(words.rank === null ? ['Found by meaning alone.'] : [`By words alone it is number ${words.rank}.`]),
    ...(meaning === null ? [] : [`By meaning it is number ${meaning.rank} (nearness ${meaning.nearness.toFixed(2)}).`]),
    ...(isOne(boost) ? [] : [`The boost of the page multiplies by ${boost.toFixed(2)}.`]),
    ...(isOne(placeFactor) ? [] : [`The page that the reader is on multiplies by ${placeFactor.toFixed(2)}.`]),
    ...(isOne(repetitionFactor)
      ? []
      : [`Better passages of the same page multiply by ${repetitionFactor.toFixed(2)}.`]),
  ]
}

function isOne(factor: number): boolean {
  return Math.abs(factor - 1) < 0.005
}
