import type { playgroundOperations } from '../../../../src/contract/operations/playground.ts'
import type { Reply } from '../../api/call.ts'

export type ExplainedSearch = Reply<typeof playgroundOperations.explainSearch>
export type ExplainedHit = ExplainedSearch['hits'][number]
import type { BarPart } from '../../../ui/stacked-bar.tsx'
import { say } from '../../../words/say.ts'

/** Word scores of a passage, summed over the terms; the parts add up to the total word score. */
export function listHitParts({ words }: ExplainedHit): BarPart[] {
  const sum = (field: 'title' | 'headings' | 'body' | 'path') =>
    words.terms.reduce((total, term) => total + term[field], 0)
  return [
    { label: say('Text'), value: sum('body') },
    { label: say('Title'), value: sum('title') },
    { label: say('Headings'), value: sum('headings') },
    { label: say('Path'), value: sum('path') },
    { label: say('Other terms'), value: words.otherTerms },
    { label: say('Whole page'), value: words.page },
    { label: say('Neighbouring passage'), value: words.neighbour },
    { label: say('Word proximity'), value: words.proximity },
    { label: say('Page is the topic'), value: words.topic },
  ]
}

/** Sentences on the ranking factors beyond the words. Factors without effect are omitted. */
export function listFactors({ boost, placeFactor, repetitionFactor, meaning, words }: ExplainedHit): string[] {
  return [
    ...(words.rank === null
      ? [say('Found by meaning alone.')]
      : [say('Ranked {rank} by words alone.', { rank: words.rank })]),
    ...(meaning === null
      ? []
      : [
          say('Ranked {rank} by meaning (similarity {nearness}).', {
            rank: meaning.rank,
            nearness: meaning.nearness.toFixed(2),
          }),
        ]),
    ...(isOne(boost) ? [] : [say('The page’s boost multiplies the score by {boost}.', { boost: boost.toFixed(2) })]),
    ...(isOne(placeFactor)
      ? []
      : [
          say('The reader’s current page multiplies the score by {placeFactor}.', {
            placeFactor: placeFactor.toFixed(2),
          }),
        ]),
    ...(isOne(repetitionFactor)
      ? []
      : [
          say('Better passages of the same page multiply the score by {repetitionFactor}.', {
            repetitionFactor: repetitionFactor.toFixed(2),
          }),
        ]),
  ]
}

function isOne(factor: number): boolean {
  return Math.abs(factor - 1) < 0.005
}
