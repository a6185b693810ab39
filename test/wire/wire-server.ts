import type { AssistantVersion } from '../../src/contract/assistant-request.ts'

/** Something that answers questions in both wire formats, whatever stands behind it. */
export interface WireServer {
  /** Where to post messages. */
  url(version: AssistantVersion): string
  /** To be sent with every request. */
  headers: Record<string, string>
  close(): Promise<void>
}
