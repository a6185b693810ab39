import type { FinishReason } from '../../contract/answer-event.ts'
import { type AnswerVerdict, isAnswer } from '../../contract/verdicts.ts'
import type { AnswerPages } from '../answer-pages.ts'
import type { PreparedAnswer } from './prepare-answer.ts'
import { writeSuggestions } from '../closing/suggested-pages.ts'
import { writeSupportOffer } from '../closing/support-offer.ts'

/** Said after a text that looks whole but is not. */
const cutSentences: Partial<Record<FinishReason, string>> = {
  length: '\n\n*This answer was cut off because it became too long. Ask for less at a time.*',
  'content-filter': '\n\n*The model’s content filter cut this answer off. Try rephrasing the question.*',
}

interface ClosingInput {
  answer: PreparedAnswer
  pages: AnswerPages
  text: string
  finishReason: FinishReason
  verdict: AnswerVerdict
}

/**
 * Additions to the model's text: a notice if it was cut off, then a support contact if it has no answer, else further
 * pages.
 */
export function writeClosing(input: ClosingInput): string {
  const cut = input.text === '' ? '' : (cutSentences[input.finishReason] ?? '')
  return cut + (isAnswer(input.verdict) ? suggestPages(input) : offerSupport(input))
}

function offerSupport({ answer }: ClosingInput): string {
  const { supportContact } = answer.settings
  return supportContact === null ? '' : writeSupportOffer(supportContact, answer.thread.id)
}

function suggestPages({ answer, pages }: ClosingInput): string {
  if (!answer.settings.suggestions) return ''
  const { currentPath } = answer.question
  const shown = [...pages.cited.map(({ path }) => path), ...(currentPath === null ? [] : [currentPath])]
  return writeSuggestions(pages.found, new Set(shown))
}
