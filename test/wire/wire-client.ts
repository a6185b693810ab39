import type { WireServer } from './wire-server.ts'

/** What an application sees of one answer through a release of the AI SDK. */
export interface WireTurn {
  text: string
  reasoning: string
  /** The sentence that `useChat` would show as its error. */
  error: string | null
  sources: { url: string; title: string }[]
  /** Of sentences, as they arrive. */
  citations: unknown[]
  /** `output` of searches that returned, in order. */
  toolOutputs: unknown[]
  /** Where an application may look for the thread id, and what it finds there. */
  threadIds: Record<string, unknown>
  /** Metadata of the whole answer: model and verdict, without the thread id. */
  metadata: Record<string, unknown>
  /** Tools that the SDK asked the application to run. */
  toolsToRun: string[]
}

/** A file that is sent with a question. */
export interface WireFile {
  mediaType: string
  filename: string
  /** A `data:` URL. */
  url: string
}

/** One chat of one release of the AI SDK. */
export interface WireClient {
  /** Sends a text with the history and the thread id so far, and waits for the end of the answer. Never rejects. */
  ask(text: string, files?: readonly WireFile[]): Promise<WireTurn>
  /** Asks for another answer to the last question, in the release's own way. */
  askAgain(): Promise<WireTurn>
  /** What the user sees while an answer is under way. */
  partialText(): string
  stop(): Promise<void>
}

export interface WireClientOptions {
  server: WireServer
  /** Fields of the body besides the SDK's own. */
  body: Record<string, unknown>
}

export async function waitUntil(isTrue: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error(`Waited 30 s in vain for ${isTrue.toString()}.`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
