import { createFactFinder, listFacts } from './citations/exact-facts.ts'
import type { VerifyInput } from './stages/verify-answer.ts'

export interface VerifiedSentence {
  /** Markdown; a code block counts as one sentence. */
  text: string
  facts: { text: string; isHeld: boolean }[]
  state: 'held' | 'partial' | 'missing' | 'no-facts'
}

const sentencesMax = 200
const fence = /^[ \t>]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t>]*\1[ \t]*$|$(?![\s\S]))/gm

/**
 * Verifies an answer sentence by sentence: the exact statements of each, and whether the cited pages contain them.
 * Pure.
 */
export function verifySentences({ text, citedTexts }: VerifyInput): VerifiedSentence[] {
  const isHeld = createFactFinder(citedTexts)
  return splitSentences(text)
    .slice(0, sentencesMax)
    .map((sentence) => {
      const facts = listFacts(sentence).map((fact) => ({ text: fact, isHeld: isHeld(fact) }))
      const held = facts.filter((fact) => fact.isHeld).length
      return { text: sentence, facts, state: stateOf(held, facts.length) }
    })
}

function stateOf(held: number, all: number): VerifiedSentence['state'] {
  if (all === 0) return 'no-facts'
  if (held === all) return 'held'
  return held === 0 ? 'missing' : 'partial'
}

/** Code blocks as a whole; of the rest, the sentences of each line. */
export function splitSentences(markdown: string): string[] {
  const parts: string[] = []
  let end = 0
  for (const match of markdown.matchAll(fence)) {
    parts.push(...splitProse(markdown.slice(end, match.index)), match[0].trim())
    end = match.index + match[0].length
  }
  parts.push(...splitProse(markdown.slice(end)))
  return parts.filter((part) => part !== '')
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

function splitProse(text: string): string[] {
  return text.split('\n').flatMap((line) => [...segmenter.segment(line)].map(({ segment }) => segment.trim()))
}
