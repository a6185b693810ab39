import { parentPort } from 'node:worker_threads'
import { JobChangeChecker } from './check-job-change.ts'
import type { CheckMessage, CheckOrder, CheckRequest } from './check-message.ts'

const checker = new JobChangeChecker()
let last = Promise.resolve()

/** One after the other, because parsing is work for the processor alone. */
parentPort?.on('message', ({ id, request }: CheckOrder) => {
  last = last.then(() => answer(id, request))
})

async function answer(id: number, request: CheckRequest): Promise<void> {
  const message: CheckMessage = await checker.check(request, new AbortController().signal).then(
    (problems) => ({ id, problems }),
    (error: unknown) => ({ id, failure: error instanceof Error ? error.message : String(error) }),
  )
  parentPort?.postMessage(message)
}
