import { parentPort } from 'node:worker_threads'
import type { ThreadOrder, ThreadReply } from './work-thread.ts'

/** Makes this module the entry of a `WorkThread`. */
export function serveThread<Request, Result>(work: (request: Request) => Result | Promise<Result>): void {
  parentPort?.on('message', ({ id, request }: ThreadOrder<Request>) => void answer(id, () => work(request)))
}

async function answer<Result>(id: number, work: () => Result | Promise<Result>): Promise<void> {
  let reply: ThreadReply<Result>
  try {
    reply = { id, result: await work() }
  } catch (error) {
    reply = { id, failure: error instanceof Error ? error.message : String(error) }
  }
  parentPort?.postMessage(reply)
}
