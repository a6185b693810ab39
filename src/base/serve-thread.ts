import { parentPort } from 'node:worker_threads'
import type { ThreadOrder, ThreadReply } from './work-thread.ts'

/** Makes a module the entry point of a `WorkThread`. @param work Handles one request at a time. */
export function serveThread(work: (request: never) => unknown): void {
  // Messages come from a `WorkThread` with the same types.
  parentPort?.on('message', ({ id, request }: ThreadOrder<never>) => void answer(id, () => work(request)))
}

async function answer(id: number, work: () => unknown): Promise<void> {
  let reply: ThreadReply<unknown>
  try {
    reply = { id, result: await work() }
  } catch (error) {
    reply = { id, failure: error instanceof Error ? error.message : String(error) }
  }
  parentPort?.postMessage(reply)
}
