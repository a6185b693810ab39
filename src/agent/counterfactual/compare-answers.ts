import type { AnswerOutcome, AnswerSide } from '../../contract/counterfactual.ts'
import { cutText } from '../../contract/cut-text.ts'
import { isAnswer } from '../../contract/verdicts.ts'
import type { StatedChange } from './compare-facts.ts'
import { foldText } from './fold-text.ts'
import { findNewPath, type PageMoves } from './match-pages.ts'

/** An answer, and what it quotes from pages besides its own text. */
export type GroundedAnswer = AnswerSide & { quotes?: readonly string[] }

export interface AnswersToCompare {
  before: GroundedAnswer
  after: GroundedAnswer
  /** By a model, which says the same in other words each time. */
  isReworded?: boolean
  /** Facts that the change affects. */
  changed: readonly StatedChange[]
  moves: PageMoves
  /** What the answers lack of what a test expects; null for a question without expectations. */
  failures: { before: readonly string[]; after: readonly string[] } | null
}

export interface ComparedOutcome {
  outcome: AnswerOutcome
  /** A sentence. */
  reason: string
}

const quotedCharsMax = 200

/**
 * What a change does to an answer. It is worse only if readers lose something: an answer, a fact that the answer
 * stated, or what a test expects. Other words, another order and another place are changes. Pure.
 */
export function compareAnswers(compared: AnswersToCompare): ComparedOutcome {
  const { before, after, failures } = compared
  if (failures !== null) {
    const [failed, fails] = [failures.before.length > 0, failures.after.length > 0]
    if (fails && !failed)
      return { outcome: 'worse', reason: `It passed its test and fails now: ${failures.after.join(' ')}` }
    if (failed && !fails) return { outcome: 'better', reason: 'It failed its test and passes now.' }
  }
  const judged = judgeReading(compared)
  // The test has decided already.
  const isSettled = failures !== null && (judged.outcome === 'worse' || judged.outcome === 'better')
  if (!isSettled) return judged
  return isSameText(before, after) ? unchanged : { ...judged, outcome: 'changed' }
}

const unchanged: ComparedOutcome = { outcome: 'same', reason: 'Readers get the same answer.' }

function judgeReading({ before, after, changed, moves, isReworded = false }: AnswersToCompare): ComparedOutcome {
  if (!isAnswer(before.verdict)) {
    if (!isAnswer(after.verdict)) return { outcome: 'same', reason: 'The pages do not answer it, before or after.' }
    return { outcome: 'better', reason: 'The pages did not answer it and do now.' }
  }
  const stated = listStated(before, changed)
  if (!isAnswer(after.verdict)) return judgeLostAnswer(stated)
  const said = foldGrounds(after)
  const loss = stated.find(
    (change) => isLoss(change) && (change.kind === 'contradicted' || !said.includes(change.before.key)),
  )
  if (loss !== undefined) return { outcome: 'worse', reason: describeLoss(loss) }
  if (isReworded ? stated.length > 0 : !isSameText(before, after))
    return {
      outcome: 'changed',
      reason: stated[0] === undefined ? 'Other passages answer it.' : describeLoss(stated[0]),
    }
  if (isReworded) return { outcome: 'same', reason: 'Readers learn the same, perhaps in other words.' }
  const places = new Set(after.citations.map(({ path }) => path))
  const moved = before.citations.find(({ path }) => !places.has(findNewPath(moves, path) ?? ''))
  return moved === undefined
    ? unchanged
    : { outcome: 'changed', reason: `The answer no longer comes from ${moved.path}.` }
}

/** An answer that got lost although all that it said is where it was is a matter of ranking. */
function judgeLostAnswer(stated: readonly StatedChange[]): ComparedOutcome {
  const loss = stated.find(isLoss) ?? stated.find(({ kind }) => kind === 'moved')
  if (loss !== undefined)
    return { outcome: 'worse', reason: `It was answered and is not any more. ${describeLoss(loss)}` }
  return { outcome: 'changed', reason: 'The pages still say it, but it is no longer found for this question.' }
}

const isLoss = ({ kind }: StatedChange) => kind === 'removed' || kind === 'contradicted'

/** The changed facts that an answer states, from pages that it quotes. */
function listStated(answer: GroundedAnswer, changed: readonly StatedChange[]): StatedChange[] {
  const paths = new Set(answer.citations.map(({ path }) => path))
  const said = foldGrounds(answer)
  return changed.filter(({ before: { page, key } }) => paths.has(page.path) && said.includes(key))
}

function describeLoss({ kind, before, after }: StatedChange): string {
  const fact = quote(before.text)
  if (kind === 'removed')
    return after === null
      ? endSentence(`${before.page.path} no longer says ${fact}`)
      : endSentence(`${before.page.path} said ${fact} and now says only ${quote(after.text)}`)
  if (after === null) return `${before.page.path} says ${fact} differently.`
  if (kind === 'contradicted')
    return endSentence(`${before.page.path} said ${fact}; ${after.page.path} now says ${quote(after.text)}`)
  if (kind !== 'moved') return endSentence(`${fact} now reads ${quote(after.text)}`)
  const [from, to] = [before.page.path, after.page.path]
  return from === to ? `${fact} has moved to another section of ${to}.` : `${fact} has moved from ${from} to ${to}.`
}

/** What is quoted last may have ended the sentence. */
function endSentence(text: string): string {
  return /[.!?…]”$/.test(text) ? text : `${text}.`
}

function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return `“${line.length > quotedCharsMax ? `${cutText(line, quotedCharsMax)}…` : line}”`
}

function foldGrounds({ text, quotes = [] }: GroundedAnswer): string {
  return foldText([text, ...quotes].join('\n'))
}

/** Whether two answers read the same, wherever their pages are. */
function isSameText(one: AnswerSide, other: AnswerSide): boolean {
  return foldText(one.text) === foldText(other.text)
}
