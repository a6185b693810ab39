import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ChatModel, ChatStreamPart } from '../../src/models/chat-model.ts'

/** One thing that a scripted model does when its stream is read. */
export type ScriptedAction =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'call'; toolName: string; input: unknown; callId?: string }
  /** A part exactly as a provider would send it. */
  | { type: 'part'; part: ChatStreamPart }
  /** Holds the stream back until the promise settles. */
  | { type: 'wait'; until: PromiseLike<unknown> }
  /** The stream itself fails, as a cut connection does. */
  | { type: 'cut'; error: unknown }
  /** The call is refused before there is a stream; only as the first action. */
  | { type: 'refuse'; error: unknown }
  /** Ends the stream without a finish part. */
  | { type: 'break-off' }

export interface ScriptedModel extends ChatModel {
  /** What the model was called with, in order. */
  readonly calls: LanguageModelV4CallOptions[]
}

/** A model that does what the test says: one list of actions for each call; the last list serves every further call. */
export function createScriptedModel(steps: readonly (readonly ScriptedAction[])[]): ScriptedModel {
  const calls: LanguageModelV4CallOptions[] = []
  const model: ScriptedModel = {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'scripted',
    supportedUrls: {},
    calls,
    async doGenerate() {
      throw new Error('The scripted model only streams.')
    },
    async doStream(options) {
      options.abortSignal?.throwIfAborted()
      calls.push(options)
      const actions = steps[Math.min(calls.length, steps.length) - 1] ?? []
      const first = actions[0]
      if (first?.type === 'refuse') throw first.error
      return { stream: toStream(play(actions, calls.length), options.abortSignal) }
    },
  }
  return model
}

async function* play(actions: readonly ScriptedAction[], call: number): AsyncGenerator<ChatStreamPart, void> {
  let hasCalls = false
  yield { type: 'stream-start', warnings: [] }
  for (const [index, action] of actions.entries()) {
    if (action.type === 'break-off') return
    if (action.type === 'cut') throw action.error
    if (action.type === 'wait') await action.until
    if (action.type === 'call') hasCalls = true
    yield* toParts(action, `${index}`, `call-${call}-${index}`)
    if (action.type === 'part' && action.part.type === 'finish') return
  }
  yield finishPart(hasCalls ? 'tool-calls' : 'stop')
}

function* toParts(action: ScriptedAction, id: string, defaultCallId: string): Generator<ChatStreamPart, void> {
  if (action.type === 'part') yield action.part
  if (action.type === 'text' || action.type === 'reasoning') {
    yield { type: `${action.type}-start`, id }
    for (const delta of action.text.match(/\S+\s*|\s+/g) ?? []) yield { type: `${action.type}-delta`, id, delta }
    yield { type: `${action.type}-end`, id }
  }
  if (action.type === 'call') {
    const toolCallId = action.callId ?? defaultCallId
    const input = typeof action.input === 'string' ? action.input : JSON.stringify(action.input)
    yield { type: 'tool-call', toolCallId, toolName: action.toolName, input }
  }
}

/** US dollars for a million output tokens of a scripted model; its input costs nothing. */
const outputUsd = 20

/** What `DOCENT_MODEL_PRICES` says of scripted models in `startDocent`. */
export const scriptedPrices = `test/=0:${outputUsd}`

/** The end of a call that cost so many US dollars. */
export function paidFinish(costUsd: number): ScriptedAction {
  return paidByTokens(Math.round((costUsd / outputUsd) * 1_000_000))
}

/** The end of a call with so many output tokens. */
export function paidByTokens(total: number): ScriptedAction {
  const part = finishPart('stop')
  return {
    type: 'part',
    part: { ...part, usage: { ...part.usage, outputTokens: { total, text: total, reasoning: 0 } } },
  }
}

/** Ten tokens in, five out. */
export function finishPart(
  unified: Extract<ChatStreamPart, { type: 'finish' }>['finishReason']['unified'],
): Extract<ChatStreamPart, { type: 'finish' }> {
  return {
    type: 'finish',
    finishReason: { unified, raw: undefined },
    usage: {
      inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 5, text: 5, reasoning: 0 },
    },
  }
}

function toStream(parts: AsyncGenerator<ChatStreamPart, void>, signal?: AbortSignal): ReadableStream<ChatStreamPart> {
  const source: UnderlyingDefaultSource<ChatStreamPart> = {
    start(controller) {
      signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true })
    },
    async pull(controller) {
      const next = await parts.next()
      if (signal?.aborted) return
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}
