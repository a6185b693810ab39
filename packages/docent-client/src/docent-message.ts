import type { UIMessage } from 'ai'
import type { AnswerMetadata, DataParts } from './generated/wire-types.ts'

/** A message of a conversation with Docent, as `useChat` holds it. Messages of the reader have no metadata. */
export type DocentUIMessage = UIMessage<AnswerMetadata, DataParts>

/** What the functions of this package read of a message, whichever release of the AI SDK holds it. */
export interface MessageParts {
  readonly parts: readonly { readonly type: string }[]
}
