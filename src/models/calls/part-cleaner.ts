import type { SharedV4ProviderMetadata } from '@ai-sdk/provider'
import type { JsonValue } from '../../contract/json.ts'
import { toStorableJson, toStorableText } from '../../contract/storable-json.ts'
import type { ChatStreamPart } from '../chat-model.ts'
import { ThinkingSplitter } from './split-thinking.ts'

type Delta = Extract<ChatStreamPart, { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>

/** An unpaired high surrogate at the end of a text. */
const openPair = /[\ud800-\udbff]$/

/**
 * Makes the parts of a model's stream storable and transportable: texts, names, ids and metadata are passed through
 * `toStorableJson`. A surrogate pair split across two deltas is joined. Thinking written into text becomes reasoning.
 *
 * Inputs of tools are JSON in text, which `parseToolInput` cleans.
 */
export class PartCleaner {
  /** Deltas that end in a high surrogate, held back by piece until the low one arrives. */
  readonly #open = new Map<string, Delta>()
  readonly #thinking = new ThinkingSplitter()

  /** @returns The replacement parts, in order. */
  clean(part: ChatStreamPart): readonly ChatStreamPart[] {
    switch (part.type) {
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-input-delta':
        return this.#cleanDelta(part)
      case 'text-end':
      case 'reasoning-end':
      case 'tool-input-end':
        return [
          ...this.#closePiece(`${part.type.slice(0, -'end'.length)}delta ${part.id}`),
          ...(part.type === 'text-end' ? this.#thinking.end(part.id) : []),
          withCleanMetadata(part),
        ]
      case 'finish':
        return [
          ...[...this.#open.keys()].flatMap((key) => this.#closePiece(key)),
          ...this.#thinking.end(),
          withCleanMetadata(part),
        ]
      case 'tool-input-start':
        return [withCleanMetadata({ ...part, toolName: toStorableText(part.toolName) })]
      case 'tool-call': {
        const [toolName, toolCallId] = [toStorableText(part.toolName), toStorableText(part.toolCallId)]
        return [withCleanMetadata({ ...part, toolName, toolCallId })]
      }
      case 'text-start':
      case 'reasoning-start':
        return [withCleanMetadata(part)]
      case 'custom':
      case 'error':
      case 'file':
      case 'ping':
      case 'raw':
      case 'reasoning-file':
      case 'response-metadata':
      case 'source':
      case 'stream-start':
      case 'tool-approval-request':
      case 'tool-result':
        // Neither shown nor stored.
        return [part]
    }
  }

  #cleanDelta(part: Delta): readonly ChatStreamPart[] {
    const key = `${part.type} ${part.id}`
    const open = this.#open.get(key)
    // Fast path for nearly every delta.
    if (open === undefined && isStorable(part.delta) && part.providerMetadata === undefined) return this.#split(part)
    const text = (open?.delta ?? '') + part.delta.replaceAll('\0', '')
    const half = openPair.exec(text)?.[0] ?? ''
    if (half === '') this.#open.delete(key)
    else this.#open.set(key, { ...part, delta: half })
    const whole = half === '' ? text : text.slice(0, -1)
    return this.#split(withCleanMetadata({ ...part, delta: whole.toWellFormed() }))
  }

  #split(part: Delta): readonly ChatStreamPart[] {
    return part.type === 'text-delta' ? this.#thinking.split(part) : [part]
  }

  #closePiece(key: string): readonly ChatStreamPart[] {
    const open = this.#open.get(key)
    if (open === undefined) return []
    this.#open.delete(key)
    return this.#split({ ...open, delta: open.delta.toWellFormed() })
  }
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Metadata is returned to the provider with the next call, and until then stored with a job's conversation. */
function withCleanMetadata<Part extends { providerMetadata?: SharedV4ProviderMetadata }>(part: Part): Part {
  if (part.providerMetadata === undefined) return part
  const { providerMetadata, ...rest } = part
  try {
    // JSON from the provider or from our own wrappers.
    const cleaned = toStorableJson(providerMetadata as JsonValue) as SharedV4ProviderMetadata
    return { ...rest, providerMetadata: cleaned } as Part // The same fields.
  } catch {
    return rest as Part // Optional in every part.
  }
}
