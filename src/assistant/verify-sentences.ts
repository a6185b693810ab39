import type { SentenceVerdict } from '../contract/citations.ts'
import { type JudgedSentence, judgeFacts } from './citations/answer-citations.ts'
import { createFactFinder } from './citations/exact-facts.ts'

export interface VerifiedSentence extends Pick<JudgedSentence, 'text' | 'facts'> {
  state: Exclude<SentenceVerdict, 'pending'>
}

const sentencesMax = 200

/**
 * The verdict on each sentence of an answer: that of its citations, else whether the cited pages contain its exact
 * statements. Pure.
 */
export function verifySentences(
  sentences: readonly JudgedSentence[],
  citedTexts: readonly string[],
): VerifiedSentence[] {
  const isHeld = createFactFinder(citedTexts)
  return sentences.slice(0, sentencesMax).map(({ text, facts: judged, citations }) => {
    const facts = citations.length > 0 ? judged : judged.map((fact) => ({ text: fact.text, isHeld: isHeld(fact.text) }))
    return { text, facts, state: judgeFacts(facts) }
  })
}
