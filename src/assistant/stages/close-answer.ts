import { writeOwnerAnswer } from '../closing/owner-answer.ts'
import type { FinishReason, SuggestedPage } from '../../contract/answer-event.ts'
import { type AnswerVerdict, isAnswer } from '../../contract/verdicts.ts'
import type { AnswerPages } from '../answer-pages.ts'
import type { GeneratedAnswer } from './generate-answer.ts'
import type { PreparedAnswer } from './prepare-answer.ts'
import { chooseSuggestions, writeSuggestions } from '../closing/suggested-pages.ts'
import { writeSupportOffer } from '../closing/support-offer.ts'

/** Said after a text that looks whole but is not. */
const cutSentences: Partial<Record<FinishReason, string>> = {
  length: '\n\n*This answer was cut off because it became too long. Ask for less at a time.*',
  'content-filter': '\n\n*The model’s content filter cut this answer off. Try rephrasing the question.*',
  other: '\n\n*The model stopped for a reason of its own, so this answer may be incomplete.*',
}

interface ClosingInput extends Pick<GeneratedAnswer, 'finishReason' | 'isSilent' | 'unreadNotice'> {
  answer: PreparedAnswer
  pages: AnswerPages
  text: string
  verdict: AnswerVerdict
  /** Markdown about statements that may be wrong; may be empty. */
  doubt: string
}

export interface Closing {
  text: string
  suggestions: SuggestedPage[]
}

/**
 * Additions to the model's text: notices if it was cut off, did not read a file or rests on disputed statements, then a
 * support contact if it has no answer, else further pages.
 */
export function closeAnswer(input: ClosingInput): Closing {
  const unread = input.unreadNotice === '' ? '' : `\n\n${input.unreadNotice.trimEnd()}`
  const cut = (input.isSilent ? '' : (cutSentences[input.finishReason] ?? '')) + unread
  const owned = writeOwned(input)
  if (!isAnswer(input.verdict)) return { text: cut + owned + offerSupport(input), suggestions: [] }
  const suggestions = suggestPages(input)
  const isInText = input.answer.answerOptions.includes('suggestions-in-text')
  return {
    text:
      cut + (input.doubt === '' ? '' : `\n\n${input.doubt}`) + owned + (isInText ? writeSuggestions(suggestions) : ''),
    suggestions,
  }
}

function writeOwned({ answer, pages, text, verdict }: ClosingInput): string {
  const { site, question } = answer
  const sources = pages.citations.sections.map(({ path }) => ({ path, version: null }))
  return writeOwnerAnswer({
    suite: site.guidance.suite,
    question: question.question,
    version: question.filter.version ?? site.index.header.defaultVersion,
    answer: { text, isAnswered: isAnswer(verdict), sources },
  })
}

function offerSupport({ answer }: ClosingInput): string {
  const { supportContact } = answer.settings
  return supportContact === null ? '' : writeSupportOffer(supportContact, answer.thread.id)
}

function suggestPages({ answer, pages }: ClosingInput): SuggestedPage[] {
  if (!answer.settings.suggestions) return []
  const { currentPath } = answer.question
  const shown = [...pages.citations.sections.map(({ path }) => path), ...(currentPath === null ? [] : [currentPath])]
  return chooseSuggestions(pages.found, new Set(shown), answer.site.url)
}
