import { messageOf, writeMessages } from '../../contract/message-texts.ts'
import { type AnswerVerdict, isAnswer } from '../../contract/verdicts.ts'
import { createFactFinder, listFacts } from '../citations/exact-facts.ts'

export interface VerifiedAnswer {
  verdict: AnswerVerdict
  /** Sentences; empty for `supported`. */
  reasons: string[]
}

export interface VerifyInput {
  /** Markdown. */
  text: string
  /** Titles and texts of the pages that it cites, as far as they were read. */
  citedTexts: readonly string[]
  /** How far the model claims to have answered; null if it says nothing. */
  claim: AnswerVerdict | null
}

const reasonsMax = 5

const reason = (...message: Parameters<typeof messageOf>) => writeMessages([messageOf(...message)])

/**
 * Looks up an answer's exact statements (code, flags, identifiers, versions, numbers) in the pages that it cites.
 *
 * Prose is not verified: no lookup can tell whether a sentence follows from a page. Pure.
 */
export function verifyAnswer({ text, citedTexts, claim }: VerifyInput): VerifiedAnswer {
  if (claim !== null && !isAnswer(claim)) return { verdict: claim, reasons: [reason('verdict-unanswered')] }
  const facts = listFacts(text)
  if (citedTexts.length === 0) {
    const reasons = [reason('verdict-uncited')]
    return { verdict: facts.length === 0 && claim === null ? 'unanswered' : 'unsupported', reasons }
  }
  const missing = facts.length === 0 ? [] : findMissing(facts, citedTexts)
  if (missing.length === 0 && claim === 'partial') return { verdict: 'partial', reasons: [reason('verdict-doubtful')] }
  if (missing.length === 0) return { verdict: 'supported', reasons: [] }
  const reasons = missing.slice(0, reasonsMax).map((fact) => reason('verdict-missing', { fact: fact.slice(0, 80) }))
  return { verdict: missing.length === facts.length ? 'unsupported' : 'partial', reasons }
}

function findMissing(facts: readonly string[], texts: readonly string[]): string[] {
  const isHeld = createFactFinder(texts)
  return facts.filter((fact) => !isHeld(fact))
}

/** The verdict on an answer that rests on pages that disagree. @param subjects What about, as Markdown. Pure. */
export function markConflict({ verdict, reasons }: VerifiedAnswer, subjects: readonly string[]): VerifiedAnswer {
  const disagreements = subjects.map((subject) => reason('verdict-conflict', { subject }))
  return {
    verdict: verdict === 'supported' || verdict === 'partial' ? 'conflicting' : verdict,
    reasons: [...disagreements, ...reasons].slice(0, reasonsMax),
  }
}
