import { parentPort, workerData } from 'node:worker_threads'
import { indexSite, type IndexSiteInput, type IndexSiteResult } from './index-site.ts'

/** What the thread says before it ends. */
export type IndexWorkerReply = { ok: true; result: IndexSiteResult } | { ok: false; message: string }

const input = workerData as IndexSiteInput // Written by `runIndexWorker`, beside this file.
const reply: IndexWorkerReply = await indexSite(input, new AbortController().signal).then(
  (result) => ({ ok: true, result }),
  (error: unknown) => ({ ok: false, message: error instanceof Error ? error.message : String(error) }),
)
parentPort?.postMessage(reply)
