import type { ChatPrompt } from '../../models/chat-model.ts'
import { approximateTokens, type ConversationState } from './conversation-state.ts'

type Message = ChatPrompt[number]
type ToolMessage = Extract<Message, { role: 'tool' }>
type ResultPart = Extract<ToolMessage['content'][number], { type: 'tool-result' }>

/** Small results cost less than the cache that a change of them would lose. */
const elidableCharsMin = 500
/** The newest ones stay: so many, or so much of a small window. */
const kept = { results: 10, windowShare: 0.1 }
/**
 * Each change of earlier messages makes the provider read everything behind it anew, so results are elided in batches:
 * one at a time costs more than it saves.
 */
const batch = { results: 20, tokens: 30_000, windowShare: 0.3 }
/** State of the work rather than material. */
const keptTools: ReadonlySet<string> = new Set(['plan', 'check', 'finish'])

/**
 * Where to elide results: before the newest step and the newest ten long results, once enough have gathered.
 *
 * @param contextTokens The model's window.
 * @returns The new `elidedBefore`; the old one while it is too early.
 */
export function findElision(
  transcript: ChatPrompt,
  { elidedBefore }: ConversationState,
  contextTokens: number,
): number {
  const end = findKeptResults(transcript, contextTokens * kept.windowShare)
  const gathered = transcript
    .slice(elidedBefore, Math.max(end, elidedBefore))
    .flatMap((_, index) => listElidable(transcript, elidedBefore + index))
  const tokensMax = Math.min(batch.tokens, contextTokens * batch.windowShare)
  return gathered.length >= batch.results || countTokens(gathered) >= tokensMax ? end : elidedBefore
}

function countTokens(results: readonly ResultPart[]): number {
  return results.reduce((sum, { output }) => sum + approximateTokens(output), 0)
}

/** The message that the newest results begin with. */
function findKeptResults(transcript: ChatPrompt, tokensMax: number): number {
  const newest = transcript.findLastIndex(({ role }) => role === 'tool')
  const results: ResultPart[] = []
  for (let index = newest; index >= 0; index--) {
    results.push(...listElidable(transcript, index))
    if (results.length >= kept.results || countTokens(results) >= tokensMax) return index
  }
  return 0
}

/** The long results of a message. The first list of files stays: it is what paths are known by. */
function listElidable(transcript: ChatPrompt, index: number): ResultPart[] {
  const message = transcript[index]
  if (message?.role !== 'tool') return []
  return message.content
    .filter((part) => part.type === 'tool-result')
    .filter((part) => {
      if (keptTools.has(part.toolName) || JSON.stringify(part.output).length < elidableCharsMin) return false
      return part.toolName !== 'list' || index !== findFirstListing(transcript)
    })
}

function findFirstListing(transcript: ChatPrompt): number {
  return transcript.findIndex(
    (message) =>
      message.role === 'tool' &&
      message.content.some((part) => part.type === 'tool-result' && part.toolName === 'list'),
  )
}

const inputCharsMax = 300

/** The message at an index with placeholders for its long results. */
export function elideResults(transcript: ChatPrompt, index: number): Message | undefined {
  const message = transcript[index]
  if (message?.role !== 'tool') return message
  const elidable = new Set<unknown>(listElidable(transcript, index))
  const content = message.content.map((part) =>
    part.type === 'tool-result' && elidable.has(part) ? elide(part, findInput(transcript[index - 1], part)) : part,
  )
  return { ...message, content }
}

function elide(part: ResultPart, input: unknown): ResultPart {
  const { length } = JSON.stringify(part.output)
  const call = `${part.toolName} ${JSON.stringify(input).slice(0, inputCharsMax)}`
  const value = `Left out to save space: what ${call} returned, ${length} characters. Make this call again if you need it.`
  return { ...part, output: { type: 'text', value } }
}

function findInput(message: Message | undefined, { toolCallId }: ResultPart): unknown {
  if (message?.role !== 'assistant') return {}
  const call = message.content.find((part) => part.type === 'tool-call' && part.toolCallId === toolCallId)
  return call?.type === 'tool-call' ? call.input : {}
}
