import type {
  LanguageModelV4Message,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import type { AnswerEvent, FinishReason, TokenUsage } from '../../contract/answer-event.ts'
import type { JsonValue } from '../../contract/json.ts'
import { type AnswerVerdict, readVerdict } from '../../contract/verdicts.ts'
import { toStorableJson, toStorableText } from '../../contract/storable-json.ts'
import type { ChatStreamPart } from '../chat-model.ts'
import { isTokenCount } from '../providers/prices.ts'
import { countLeastTokens } from '../calls/estimate-tokens.ts'
import { readFinishReason } from './read-finish-reason.ts'

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']
/** Events for the reader that a part of the stream causes. */
export type PieceEvent = Extract<AnswerEvent, { type: `text-${string}` | `reasoning-${string}` | 'step-restarted' }>
type PieceKind = 'text' | 'reasoning'

interface OpenPiece {
  kind: PieceKind
  /** The model's id. */
  sourceId: string
  /** Our id, unique within the answer: models count from zero in each step. */
  id: string
  content: { type: PieceKind; text: string; providerOptions?: SharedV4ProviderMetadata }
}

/** What our own models and wrappers add to the metadata of a finish part; null if absent. */
interface ModelNotes {
  /** `provider/model` that answered, which may be a fallback. */
  modelId: string | null
  costUsd: number | null
  /** Tokens weighed by what they cost, an upper bound if the provider did not count. */
  spentTokens: number | null
  /** How far it claims to have answered. Only the offline model knows. */
  claim: AnswerVerdict | null
  /** Whether it answered without the images of the question. */
  imagesRefused: boolean
  /** Why a built-in model cannot do the task at all. */
  refusal: string | null
}

/** A model that makes more calls in a step repeats itself; further ones are dropped. */
const toolCallsMax = 256

interface ToolInput {
  toolName: string
  text: string
}

/**
 * Collects one model call from the parts of its stream, and derives the events for the reader.
 *
 * Providers may interleave text and reasoning; here a piece ends where another begins, and empty pieces are dropped.
 * `content` must be returned to the model in the next step, with the signatures of its reasoning: some providers reject
 * a conversation without them.
 */
export class ModelStep {
  content: AssistantContent = []
  toolCalls: LanguageModelV4ToolCall[] = []
  text = ''
  /** A lower bound of all output tokens, for models that do not report them. */
  leastTokens = 0
  /** Null until the model finishes; a stream that ends earlier broke off. */
  finishReason: FinishReason | null = null
  usage: TokenUsage = { inputTokens: 0, outputTokens: 0 }
  /** Input tokens read from the provider's cache. */
  cachedTokens = 0
  metadata: SharedV4ProviderMetadata | undefined
  /** The first error that the stream reported. */
  error: { cause: unknown } | null = null
  readonly #idPrefix: string
  readonly #toolInputs = new Map<string, ToolInput>()
  readonly #metadataOfPieces = new Map<string, SharedV4ProviderMetadata>()
  #open: OpenPiece | null = null
  #pieces = 0

  constructor(idPrefix: string) {
    this.#idPrefix = idPrefix
  }

  get notes(): ModelNotes {
    const { model, costUsd, spentTokens, verdict, refusal, imagesRefused } = this.metadata?.['docent'] ?? {}
    return {
      modelId: typeof model === 'string' ? model : null,
      costUsd: typeof costUsd === 'number' ? costUsd : null,
      spentTokens: typeof spentTokens === 'number' ? spentTokens : null,
      claim: readVerdict(verdict),
      imagesRefused: imagesRefused === true,
      refusal: typeof refusal === 'string' ? refusal : null,
    }
  }

  /** @param events Receives the events that the part causes; the caller empties it. */
  accept(part: ChatStreamPart, events: PieceEvent[]): void {
    switch (part.type) {
      case 'text-delta':
      case 'reasoning-delta':
        return this.#acceptDelta(part, events)
      case 'text-start':
      case 'reasoning-start':
        return this.#noteMetadata(part)
      case 'text-end':
      case 'reasoning-end':
        this.#noteMetadata(part)
        return this.#endPiece(events, part.id)
      case 'tool-input-start':
        if (part.providerExecuted !== true) this.#toolInputs.set(part.id, { toolName: part.toolName, text: '' })
        return
      case 'tool-input-delta':
        return this.#acceptToolInput(part)
      case 'tool-call':
        this.#toolInputs.delete(part.toolCallId)
        if (part.providerExecuted !== true) this.#acceptToolCall(part)
        return
      case 'finish':
        return this.#finish(part, events)
      case 'error':
        this.error ??= { cause: part.error }
        return
      case 'custom':
      case 'file':
      case 'ping':
      case 'raw':
      case 'reasoning-file':
      case 'response-metadata':
      case 'source':
      case 'stream-start':
      case 'tool-approval-request':
      case 'tool-input-end':
      case 'tool-result':
        // Never requested, so not shown.
        return
    }
  }

  /** Forgets everything but the tokens and the ids used so far. */
  restart(events: PieceEvent[]): void {
    this.#endPiece(events)
    this.content = []
    this.toolCalls = []
    this.text = ''
    this.#toolInputs.clear()
    this.#metadataOfPieces.clear()
    events.push({ type: 'step-restarted' })
  }

  #acceptDelta(part: Extract<ChatStreamPart, { type: 'text-delta' | 'reasoning-delta' }>, events: PieceEvent[]): void {
    if (part.delta === '') return this.#noteMetadata(part)
    const kind = part.type === 'text-delta' ? 'text' : 'reasoning'
    let open = this.#open
    if (open === null || open.sourceId !== part.id || open.kind !== kind) {
      this.#endPiece(events)
      open = this.#startPiece(kind, part.id, events)
    }
    open.content.text += part.delta
    this.leastTokens += countLeastTokens(part.delta)
    if (kind === 'text') this.text += part.delta
    if (part.providerMetadata) this.#noteMetadata(part)
    events.push(
      kind === 'text'
        ? { type: 'text-delta', id: open.id, text: part.delta }
        : { type: 'reasoning-delta', id: open.id, text: part.delta },
    )
  }

  #startPiece(kind: PieceKind, sourceId: string, events: PieceEvent[]): OpenPiece {
    const id = `${this.#idPrefix}-${this.#pieces++}`
    const known = this.#metadataOfPieces.get(pieceKey(kind, sourceId))
    const content = { type: kind, text: '', ...(known && { providerOptions: known }) }
    this.content.push(content)
    this.#open = { kind, sourceId, id, content }
    if (kind === 'reasoning') events.push({ type: 'reasoning-started', id })
    else events.push({ type: 'text-started', id, ...(saysUnanswered(known) && { isAnswer: false }) })
    return this.#open
  }

  #endPiece(events: PieceEvent[], sourceId?: string): void {
    if (this.#open === null || (sourceId !== undefined && this.#open.sourceId !== sourceId)) return
    events.push({ type: this.#open.kind === 'text' ? 'text-ended' : 'reasoning-ended', id: this.#open.id })
    this.#open = null
  }

  /** Signatures arrive with the start, a delta or the end of a piece; hidden reasoning consists of nothing else. */
  #noteMetadata(part: { type: string; id: string; providerMetadata?: SharedV4ProviderMetadata }): void {
    if (!part.providerMetadata) return
    const kind: PieceKind = part.type.startsWith('text') ? 'text' : 'reasoning'
    const key = pieceKey(kind, part.id)
    const merged = mergeMetadata(this.#metadataOfPieces.get(key), part.providerMetadata)
    this.#metadataOfPieces.set(key, merged)
    const open = this.#open
    if (open?.kind === kind && open.sourceId === part.id) open.content.providerOptions = merged
    else if (part.type === 'reasoning-end') this.content.push({ type: 'reasoning', text: '', providerOptions: merged })
  }

  #acceptToolInput(part: Extract<ChatStreamPart, { type: 'tool-input-delta' }>): void {
    const input = this.#toolInputs.get(part.id)
    if (input) input.text += part.delta
  }

  #acceptToolCall(call: LanguageModelV4ToolCall): void {
    this.leastTokens += countLeastTokens(call.input)
    if (this.toolCalls.length >= toolCallsMax) return
    const input = parseToolInput(call.input)
    this.toolCalls.push({ ...call, input: input === null ? toStorableText(call.input) : JSON.stringify(input) })
    this.content.push({
      type: 'tool-call',
      toolCallId: call.toolCallId,
      toolName: call.toolName,
      input: input ?? {},
      ...(call.providerMetadata && { providerOptions: call.providerMetadata }),
    })
  }

  #finish(part: Extract<ChatStreamPart, { type: 'finish' }>, events: PieceEvent[]): void {
    this.#endPiece(events)
    this.finishReason = readFinishReason(part.finishReason)
    const isCut = this.finishReason === 'length'
    // Calls whose deltas arrived without the final part. The input of a call that broke off is not valid JSON, so it is
    // dropped, unless the model must be told that its output was too long.
    for (const [toolCallId, { toolName, text }] of this.#toolInputs) {
      if (isCut || parseToolInput(text) !== null) {
        this.#acceptToolCall({ type: 'tool-call', toolCallId, toolName, input: text })
      }
    }
    this.#toolInputs.clear()
    this.usage = countTokens(part.usage)
    this.cachedTokens = readCount(part.usage.inputTokens.cacheRead)
    this.metadata = part.providerMetadata
  }
}

/**
 * Parses the input of a tool call and makes it storable.
 *
 * @returns Null if it is not a JSON object or is nested too deeply. Empty text is an empty object, because calls
 *   without arguments may send nothing.
 */
export function parseToolInput(text: string): Record<string, JsonValue> | null {
  if (text.trim() === '') return {}
  try {
    const value = toStorableJson(JSON.parse(text) as JsonValue) // `JSON.parse` returns JSON.
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** Set by the offline model, which knows this before its text. */
function saysUnanswered(metadata: SharedV4ProviderMetadata | undefined): boolean {
  return metadata?.['docent']?.['answered'] === false
}

function isRecord(value: JsonValue): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function pieceKey(kind: PieceKind, sourceId: string): string {
  return `${kind} ${sourceId}`
}

function mergeMetadata(
  known: SharedV4ProviderMetadata | undefined,
  added: SharedV4ProviderMetadata,
): SharedV4ProviderMetadata {
  const merged = { ...known }
  for (const [provider, values] of Object.entries(added)) merged[provider] = { ...merged[provider], ...values }
  return merged
}

function countTokens({ inputTokens, outputTokens }: LanguageModelV4Usage): TokenUsage {
  return { inputTokens: readCount(inputTokens.total), outputTokens: readCount(outputTokens.total) }
}

/** Servers report nonsense when they do not count. */
function readCount(count = 0): number {
  return isTokenCount(count) ? Math.ceil(count) : 0
}
