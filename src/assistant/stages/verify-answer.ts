import { type AnswerVerdict, isAnswer } from '../../contract/verdicts.ts'

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

const doubtfulReason = 'The quoted passages are about the subject, but may not contain what was asked.'
const reasonsMax = 5
const factsMax = 200
const fencedCode = /^[ \t>]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:^[ \t>]*\1|$(?![\s\S]))/gm
const codeSpan = /(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g
const linkTarget = /\]\([^()\s]*(?:\s+"[^"]*")?\)/g
/** Numbers with their dots and attached characters: versions, error codes, amounts. List markers are excluded. */
const number = /(?<![\p{L}\p{N}_.-])v?\d[\d.,]*(?:[-.]?[\p{L}\d]+)*/gu
const itemMark = /^[ \t>]*\d{1,9}[.)](?=\s)/gm
const flag = /(?<![\p{L}\p{N}_-])--?[a-z][\w-]+/giu
/** Words that never occur in prose: `snake_case`, `camelCase`, `UPPER-1`. */
const identifier = /(?<![\p{L}\p{N}_])(?:[A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*|[A-Z]+-\d+)(?![\p{L}\p{N}_])/gu

/** Each pattern with a cheap precondition; trying a pattern in vain costs many times as much. */
const exactWords: readonly { sign: RegExp; pattern: RegExp }[] = [
  { sign: /\d/, pattern: number },
  { sign: /-[a-z]/i, pattern: flag },
  { sign: /\w_\w|[a-z][A-Z]|[A-Z]-\d/, pattern: identifier },
]

/**
 * Looks up an answer's exact statements (code, flags, identifiers, versions, numbers) in the pages that it cites.
 *
 * Prose is not verified: no lookup can tell whether a sentence follows from a page. Pure.
 */
export function verifyAnswer({ text, citedTexts, claim }: VerifyInput): VerifiedAnswer {
  if (claim !== null && !isAnswer(claim)) return { verdict: claim, reasons: ['The pages do not contain an answer.'] }
  const facts = listFacts(text)
  if (citedTexts.length === 0) {
    const reasons = ['The answer cites no page.']
    return { verdict: facts.length === 0 && claim === null ? 'unanswered' : 'unsupported', reasons }
  }
  const isHeld = createFactFinder(citedTexts)
  const missing = facts.filter((fact) => !isHeld(fact))
  if (missing.length === 0 && claim === 'partial') return { verdict: 'partial', reasons: [doubtfulReason] }
  if (missing.length === 0) return { verdict: 'supported', reasons: [] }
  const reasons = missing.slice(0, reasonsMax).map((fact) => `The cited pages do not contain “${fact.slice(0, 80)}”.`)
  return { verdict: missing.length === facts.length ? 'unsupported' : 'partial', reasons }
}

/** @returns Whether the texts contain a fact, comparing both as rendered. */
export function createFactFinder(texts: readonly string[]): (fact: string) => boolean {
  const sources = normalize(texts.join('\n'))
  return (fact) => sources.includes(normalize(fact))
}

/** The answer's exact statements without duplicates; every line of fenced code. */
export function listFacts(markdown: string): string[] {
  const facts: string[] = []
  const withoutFences = markdown.replace(fencedCode, (_, _marker: string, code: string) => {
    facts.push(...code.split('\n'))
    return '\n'
  })
  const prose = withoutFences.replace(codeSpan, (_, _marker: string, code: string) => {
    facts.push(code)
    return ' '
  })
  const words = prose
    .replace(linkTarget, ']')
    .replace(itemMark, '')
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
  for (const { sign, pattern } of exactWords) if (sign.test(words)) facts.push(...(words.match(pattern) ?? []))
  const bare = facts.map((fact) => fact.trim().replace(/[.,]+$/, '')).filter((fact) => fact !== '')
  return [...new Set(bare)].slice(0, factsMax)
}

/** Roughly as rendered: without Markdown marks, in lower case, with single spaces. */
function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\\`*]/g, '')
    .replace(/^[ \t]*>+[ \t]?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
}
