import type { AnswerMetadata } from '../../../packages/docent-client/src/generated/wire-types.ts'

export interface TurnPart {
  type: string
  id?: string
  text?: string
}

/** A section that the service found, as its search tool returns it. */
export interface FoundSection {
  title: string
  headings: string[]
  url: string
  text: string
  /** 0 to 1. */
  score: number
}

/** A question and its answer. */
export interface Turn {
  /** Milliseconds since 1970. */
  askedAt: number
  question: string
  /** Title of the page that it was asked on. */
  askedOn: string
  /** Parts of the answer, as messages of the AI SDK have them. */
  parts: TurnPart[]
  /** Best first, each once. */
  found: FoundSection[]
  messageId: string | null
  metadata: Partial<AnswerMetadata>
  state: 'running' | 'done' | 'stopped' | 'failed'
  /** Whether the connection is lost while it is running. */
  isCut: boolean
  /** Why it failed, as a sentence. */
  fault: string | null
  /** Before this time, in milliseconds since 1970, the service refuses to answer. */
  retryAt: number | null
  helpful: boolean | null
  reason: string | null
}

export function makeTurn(question: string, askedOn: string): Turn {
  return {
    askedAt: Date.now(),
    question,
    askedOn,
    parts: [],
    found: [],
    messageId: null,
    metadata: {},
    state: 'running',
    isCut: false,
    fault: null,
    retryAt: null,
    helpful: null,
    reason: null,
  }
}

/** An event of the stream, as the server sends it; what it contains depends on its type. */
export interface StreamEvent {
  type: string
  [field: string]: unknown
}

/** Adds an event to the answer. Unknown events are ignored. */
export function addEvent(turn: Turn, event: StreamEvent): void {
  const { parts } = turn
  switch (event.type) {
    case 'start':
      // The answer is sent again from its beginning.
      parts.length = 0
      turn.found = []
      turn.isCut = false
      turn.messageId = String(event['messageId'])
      break
    case 'connection-lost':
      turn.isCut = true
      break
    case 'tool-output-available':
      turn.found.push(...readFound(event['output']).slice(0, foundMax - turn.found.length))
      break
    case 'finish':
      turn.state = 'done'
      break
    case 'text-start':
      parts.push({ type: 'text', id: String(event['id']), text: '' })
      break
    case 'text-delta': {
      const text = parts.findLast(({ type, id }) => type === 'text' && id === event['id'])
      if (text) text.text += String(event['delta'])
      break
    }
    case 'source-url':
    case 'data-docent-citation':
    case 'data-suggestions':
      replacePart(parts, event)
      break
    case 'abort':
      turn.state = 'stopped'
      break
    case 'error':
      turn.state = 'failed'
      turn.fault = String(event['errorText'])
      break
    default:
  }
  // The service's own metadata, whose type is generated from its schema.
  if (event['messageMetadata']) turn.metadata = { ...turn.metadata, ...(event['messageMetadata'] as AnswerMetadata) }
}

const foundMax = 20
const foundCharsMax = 300

/** Tools have results of many kinds; only found sections are read. */
function readFound(output: unknown): FoundSection[] {
  if (!Array.isArray(output)) return []
  return output.flatMap((entry: { content?: unknown; metadata?: Record<string, unknown> } | null) => {
    const { title, headings, href, score } = entry?.metadata ?? {}
    if (typeof title !== 'string' || typeof href !== 'string' || typeof score !== 'number') return []
    const names = Array.isArray(headings) ? headings.map(String) : []
    return [{ title, headings: names, url: href, text: String(entry?.content).slice(0, foundCharsMax), score }]
  })
}

/** A data part that comes again replaces the one before, such as a citation once its sentence is checked. */
function replacePart(parts: TurnPart[], event: StreamEvent): void {
  const part: TurnPart = event
  const at = part.id === undefined ? -1 : parts.findIndex(({ type, id }) => type === part.type && id === part.id)
  if (at < 0) parts.push(part)
  else parts[at] = part
}

/** Whether the text says that there is no answer. */
export function isRefused({ metadata: { verdict } }: Turn): boolean {
  return verdict === 'unanswered' || verdict === 'nearest-page'
}

/** The answer as Markdown. */
export function readText({ parts }: Turn): string {
  return parts.flatMap(({ type, text = '' }) => (type === 'text' && text !== '' ? [text] : [])).join('\n\n')
}
