import type { Client } from '../client/create-client.ts'
import { AppError } from '../contract/app-error.ts'
import type { ThreadMessage } from '../contract/threads.ts'
import { describeReport, verifyFiles } from '../git/verify-receipt.mjs'
import { withClient } from './connect.ts'
import type { Output } from './output.ts'

export interface ReceiptOptions {
  threadId: string
  /** Default: the newest answer of the thread. */
  messageId: string | undefined
  /** Slug of the site. */
  site: string
}

/** `docent receipt`: prints the signed receipt of an answer. */
export async function printReceipt(output: Output, { threadId, messageId, site: id }: ReceiptOptions): Promise<void> {
  const receipt = await withClient(async (client) => {
    const answers = messageId === undefined ? await listAnswers(client, { id, threadId }) : []
    const newest = messageId ?? answers.at(-1)?.id
    if (newest === undefined) throw new AppError('message_not_found', 'The thread has no answer yet.')
    return client.getAnswerReceipt({ params: { id, threadId, messageId: newest } })
  })
  output.result(receipt, () => JSON.stringify(receipt, null, 2))
}

/** The answers of a thread, oldest first. */
export async function listAnswers(client: Client, params: { id: string; threadId: string }): Promise<ThreadMessage[]> {
  const messages: ThreadMessage[] = []
  let cursor: string | undefined
  do {
    const page = await client.getThread({ params, query: { limit: 100, ...(cursor !== undefined && { cursor }) } })
    messages.push(...page.messages)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return messages.filter(({ role }) => role === 'assistant')
}

export interface VerifyOptions {
  /** Path of the file. */
  receipt: string
  repository?: string
  /** Path or URL. */
  key?: string
}

/** `docent verify`: checks a receipt as the stand-alone script does. Needs no installation. */
export async function verifyReceipt(output: Output, options: VerifyOptions): Promise<void> {
  if (options.repository === undefined && options.key === undefined) {
    throw new AppError('invalid_request', 'Say what to check the receipt against: --repository, --key or both.')
  }
  const report = await verifyFiles(options)
  output.result(report, () => describeReport(report).join('\n'))
  if (!report.verified) process.exitCode = 1
}
