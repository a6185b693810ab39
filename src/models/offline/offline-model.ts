import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { isAnswer } from '../../contract/verdicts.ts'
import type { ChatModel, ChatStreamPart } from '../chat-model.ts'
import { summarizePage, unknownPage, writePageRefusal } from './answer-about-page.ts'
import { type QuotedAnswer, QuotingAnswerer } from './answer-by-quoting.ts'
import { charsPerToken, countUsage, createBuiltInModel, offlineCost } from './built-in-model.ts'
import { pointToPage } from './point-to-page.ts'
import { type Conversation, readConversation, searchToolName } from './read-conversation.ts'
import { isSearched, type QuestionInContext, readInContext } from './search-text.ts'
import { weighWords } from './weigh-words.ts'

/** The model's reaction to a prompt. */
type Reply = { type: 'search'; callId: string; query: string } | ({ type: 'say' } & QuotedAnswer)

const searchesMax = 2
/** Fewest characters in a chunk of the stream: a few words. */
const pieceCharsMin = 20

/**
 * The built-in model, which needs no key: it searches for the question and answers with verbatim sentences of the
 * results, or says that nothing fits. It is not a language model and says nothing of its own.
 *
 * `providerMetadata.docent` of its finish part says how far the passages answer the question (`verdict`), and whether
 * its text counts as an answer (`answered`).
 */
export function createOfflineModel(): ChatModel {
  const answerer = new QuotingAnswerer()
  return createBuiltInModel((options) => listParts(options, decideReply(options, answerer)))
}

function decideReply(options: LanguageModelV4CallOptions, answerer: QuotingAnswerer): Reply {
  const conversation = readConversation(options)
  const asked = readInContext(conversation)
  const { passages, searchedFor, canSearch, termCounts } = conversation
  const question = { ...asked, words: weighWords(asked.words, termCounts) }
  if (question.text === '')
    return { type: 'say', text: 'Ask a question about this documentation.', verdict: 'unanswered' }
  if (canSearch && searchedFor.length < searchesMax && !isSearched(conversation, question)) {
    return { type: 'search', callId: `offline-search-${conversation.callCount + 1}`, query: question.searchText }
  }
  if (passages.length === 0 && conversation.hasFailedSearch) {
    return {
      type: 'say',
      text: 'The search of this documentation failed. Ask again in a minute.',
      verdict: 'unanswered',
    }
  }
  return { type: 'say', ...answerAsked(question, conversation, answerer) }
}

/** Answers a question from the passages that were found for it. */
export function answerAsked(
  question: QuestionInContext,
  { passages, instructions, termCounts }: Conversation,
  answerer: QuotingAnswerer,
): QuotedAnswer {
  const { pageReference } = question
  const whole = passages.find(({ wholePage }) => wholePage !== null)
  if (pageReference?.subject === '') {
    return whole === undefined ? { text: unknownPage, verdict: 'unanswered' } : summarizePage(whole)
  }
  const pointing = pointToPage({ text: question.text, passages, termCounts })
  if (pointing !== null) return pointing
  const sitePassages = termCounts?.passages ?? null
  const isAboutPage = pageReference !== null && new Set(passages.map(({ path }) => path)).size <= 1
  const answer = answerer.answer({ question, passages, instructions, sitePassages, isAboutPage })
  if (isAnswer(answer.verdict) || !isAboutPage) return answer
  return { text: writePageRefusal(passages), verdict: 'nearest-page' }
}

function* listParts(options: LanguageModelV4CallOptions, reply: Reply): Generator<ChatStreamPart, void> {
  yield { type: 'stream-start', warnings: [] }
  yield reply.type === 'search' ? yield* listSearchParts(options, reply) : yield* listTextParts(options, reply)
}

function* listSearchParts(
  options: LanguageModelV4CallOptions,
  { callId, query }: Extract<Reply, { type: 'search' }>,
): Generator<ChatStreamPart, ChatStreamPart> {
  const input = JSON.stringify({ query })
  yield { type: 'tool-input-start', id: callId, toolName: searchToolName }
  yield { type: 'tool-input-delta', id: callId, delta: input }
  yield { type: 'tool-input-end', id: callId }
  yield { type: 'tool-call', toolCallId: callId, toolName: searchToolName, input }
  return {
    type: 'finish',
    finishReason: { unified: 'tool-calls', raw: undefined },
    usage: countUsage(options, input),
    providerMetadata: { docent: offlineCost },
  }
}

function* listTextParts(
  options: LanguageModelV4CallOptions,
  { text, verdict }: Extract<Reply, { type: 'say' }>,
): Generator<ChatStreamPart, ChatStreamPart> {
  const charsMax = (options.maxOutputTokens ?? Infinity) * charsPerToken
  const said = text.length > charsMax ? text.slice(0, charsMax) : text
  const claim = { answered: isAnswer(verdict), verdict }
  const providerMetadata = { docent: claim }
  yield { type: 'text-start', id: 'answer', providerMetadata }
  for (const delta of cutIntoPieces(said)) yield { type: 'text-delta', id: 'answer', delta }
  yield { type: 'text-end', id: 'answer' }
  return {
    type: 'finish',
    finishReason: { unified: said === text ? 'stop' : 'length', raw: undefined },
    usage: countUsage(options, said),
    providerMetadata: { docent: { ...offlineCost, ...claim } },
  }
}

/** A few whole words at a time, so that front ends show the text progressively without a frame per word. */
function cutIntoPieces(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const [word] of text.matchAll(/\S*\s+|\S+$/g)) {
    piece += word
    if (piece.length < pieceCharsMin) continue
    pieces.push(piece)
    piece = ''
  }
  return piece === '' ? pieces : [...pieces, piece]
}
