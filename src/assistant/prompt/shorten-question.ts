import type { AssistantQuestion } from '../../contract/assistant-request.ts'
import { cutLengths, cutMiddle } from '../../contract/cut-text.ts'

export interface ShortenedQuestion {
  question: AssistantQuestion
  /** First line of the answer, which lists what was left out; empty if nothing was. */
  notice: string
}

/**
 * Shortens a question to the length that is searched, sent to models and stored.
 *
 * @param charsMax See `DOCENT_QUESTION_CHARS`.
 */
export function shortenQuestion(question: AssistantQuestion, charsMax: number): ShortenedQuestion {
  const { question: asked, messages } = question
  if (asked.length <= charsMax) return { question, notice: '' }
  const text = cutMiddle(asked, charsMax)
  return {
    question: { ...question, question: text, messages: [...messages.slice(0, -1), { role: 'user', text }] },
    notice: writeNotice(asked.length, charsMax),
  }
}

function writeNotice(chars: number, charsMax: number): string {
  const { head, tail } = cutLengths(charsMax)
  const [all, first, last] = [chars, head, tail].map((count) => count.toLocaleString('en-US'))
  return `Your question has ${all} characters, which is too long to read in full: only its first ${first} and last ${last} characters were read.\n\n`
}
