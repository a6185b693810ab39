/** An event of a provider's stream that only continues a block of text or thoughts. */
export interface Piece {
  type: 'text-delta' | 'reasoning-delta'
  delta: string
  /** Equal for pieces of one block. */
  block: string
  /** Event data with what the provider's package keeps of such an event besides the text. */
  rest?: string
}

/** How a protocol writes pieces. */
export interface PieceProtocol {
  /** @returns null for every event that could tell more than a piece does. */
  read(data: string): Piece | null
  /** The event data of a piece with another text. @param data From which `read` has read a piece. */
  write(data: string, delta: string): string
}

type Fields = Record<string, unknown>

/** Each key that is read or known to be ignored. Events with any other key are left to the package. */
const chatKeys = keysOf('id object created model choices usage system_fingerprint service_tier obfuscation provider')
const choiceKeys = keysOf('index delta finish_reason logprobs')
const deltaKeys = keysOf('role content refusal tool_calls')
const responsesKeys = keysOf(
  'type item_id output_index content_index delta sequence_number logprobs obfuscation response_id',
)
const anthropicKeys = keysOf('type index delta')
const geminiKeys = keysOf('candidates usageMetadata modelVersion responseId createTime')
const candidateKeys = keysOf('content index')

/** Chat completions. */
export const chatPieces: PieceProtocol = {
  read(data) {
    const chunk = parseFields(data, chatKeys)
    if (chunk === null || chunk['usage'] != null || !isNamed(chunk)) return null
    const choice = fieldsOf(onlyItem(chunk['choices']), choiceKeys)
    if (choice === null || choice['finish_reason'] != null || choice['logprobs'] != null) return null
    const delta = fieldsOf(choice['delta'], deltaKeys)
    if (delta === null || delta['refusal'] != null || !isPlainDelta(delta)) return null
    return describePiece('text-delta', delta['content'], '')
  },
  write: (data, text) => rewrite(data, (chunk) => setText(chunk, ['choices', 0, 'delta', 'content'], text)),
}

/** The Responses API of OpenAI. */
export const responsesPieces: PieceProtocol = {
  read(data) {
    const event = parseFields(data, responsesKeys)
    if (event?.['type'] !== 'response.output_text.delta' || !isEmptyList(event['logprobs'])) return null
    const { item_id: item, output_index: index, content_index: content } = event
    if (typeof item !== 'string' || typeof index !== 'number') return null
    return describePiece('text-delta', event['delta'], `${index} ${String(content)} ${item}`)
  },
  write: (data, text) => rewrite(data, (event) => setText(event, ['delta'], text)),
}

/** The Messages API of Anthropic. */
export const anthropicPieces: PieceProtocol = {
  read(data) {
    const event = parseFields(data, anthropicKeys)
    if (event?.['type'] !== 'content_block_delta' || typeof event['index'] !== 'number') return null
    const kind = findAnthropicKind(event['delta'])
    if (kind === null) return null
    return describePiece(kind.type, fieldsOf(event['delta'], kind.keys)?.[kind.field], String(event['index']))
  },
  write: (data, text) =>
    rewrite(data, (event) => {
      const kind = findAnthropicKind(event['delta'])
      if (kind !== null) setText(event, ['delta', kind.field], text)
    }),
}

/** `generateContent` of Gemini. Each event repeats the usage so far, of which the last counts. */
export const geminiPieces: PieceProtocol = {
  read(data) {
    const chunk = parseFields(data, geminiKeys)
    const candidate = fieldsOf(onlyItem(chunk?.['candidates']), candidateKeys)
    const content = fieldsOf(candidate?.['content'], contentKeys)
    const part = fieldsOf(onlyItem(content?.['parts']), textPartKeys)
    if (chunk === null || part === null) return null
    const type = part['thought'] === true ? 'reasoning-delta' : 'text-delta'
    const { usageMetadata } = chunk
    const piece = describePiece(type, part['text'], '')
    return piece === null || usageMetadata == null ? piece : { ...piece, rest: JSON.stringify({ usageMetadata }) }
  },
  write: (data, text) =>
    rewrite(data, (chunk) => setText(chunk, ['candidates', 0, 'content', 'parts', 0, 'text'], text)),
}

const contentKeys = keysOf('parts role')
const textPartKeys = keysOf('text thought')

const anthropicKinds = {
  text_delta: { type: 'text-delta', field: 'text', keys: keysOf('type text') },
  thinking_delta: { type: 'reasoning-delta', field: 'thinking', keys: keysOf('type thinking') },
} as const

function findAnthropicKind(delta: unknown) {
  const type = isFields(delta) ? delta['type'] : null
  return type === 'text_delta' || type === 'thinking_delta' ? anthropicKinds[type] : null
}

function keysOf(names: string): ReadonlySet<string> {
  return new Set(names.split(' '))
}

function describePiece(type: Piece['type'], delta: unknown, block: string): Piece | null {
  return typeof delta === 'string' && delta !== '' ? { type, delta, block } : null
}

function isNamed({ id, model, created }: Fields): boolean {
  return isOptional(id, 'string') && isOptional(model, 'string') && isOptional(created, 'number')
}

function isOptional(value: unknown, type: 'string' | 'number'): boolean {
  return value == null || typeof value === type
}

function isPlainDelta({ role, tool_calls: calls }: Fields): boolean {
  return (role == null || role === 'assistant' || role === '') && isEmptyList(calls)
}

function isEmptyList(value: unknown): boolean {
  return value == null || (Array.isArray(value) && value.length === 0)
}

function onlyItem(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : null
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @returns Null if it is not an object, or has an unknown key. */
function fieldsOf(value: unknown, known: ReadonlySet<string>): Fields | null {
  if (!isFields(value)) return null
  for (const key in value) if (!known.has(key)) return null
  return value
}

function parseFields(data: string, known: ReadonlySet<string>): Fields | null {
  try {
    return fieldsOf(JSON.parse(data), known)
  } catch {
    return null
  }
}

function rewrite(data: string, change: (event: Fields) => void): string {
  const event = JSON.parse(data) as Fields // `read` has found an object.
  change(event)
  return JSON.stringify(event)
}

/** @param path Keys that `read` has found. */
function setText(event: Fields, path: readonly (string | number)[], text: string): void {
  let fields = event
  for (const key of path.slice(0, -1)) fields = fields[key] as Fields
  fields[path.at(-1) ?? ''] = text
}
