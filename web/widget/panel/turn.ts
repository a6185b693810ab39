import type { AnswerMetadata } from '../../../packages/docent-client/src/generated/wire-types.ts'

export interface TurnPart {
  type: string
  id?: string
  text?: string
}

/** A question and its answer. */
export interface Turn {
  question: string
  /** Title of the page that it was asked on. */
  askedOn: string
  /** Parts of the answer, as messages of the AI SDK have them. */
  parts: TurnPart[]
  messageId: string | null
  metadata: Partial<AnswerMetadata>
  state: 'running' | 'done' | 'stopped' | 'failed'
  /** Why it failed, as a sentence. */
  fault: string | null
  helpful: boolean | null
}

export function makeTurn(question: string, askedOn: string): Turn {
  const state = 'running'
  return { question, askedOn, parts: [], messageId: null, metadata: {}, state, fault: null, helpful: null }
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
      turn.messageId = String(event['messageId'])
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

/** A data part that comes again replaces the one before, such as a citation once its sentence is checked. */
function replacePart(parts: TurnPart[], event: StreamEvent): void {
  const part: TurnPart = event
  const at = part.id === undefined ? -1 : parts.findIndex(({ type, id }) => type === part.type && id === part.id)
  if (at < 0) parts.push(part)
  else parts[at] = part
}

/** The answer as Markdown. */
export function readText({ parts }: Turn): string {
  return parts.flatMap(({ type, text = '' }) => (type === 'text' && text !== '' ? [text] : [])).join('\n\n')
}
