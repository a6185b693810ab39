import type { Client } from '../client/create-client.ts'
import { AppError } from '../contract/app-error.ts'
import type { Replay } from '../contract/receipts.ts'
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
async function listAnswers(client: Client, params: { id: string; threadId: string }): Promise<ThreadMessage[]> {
  const messages: ThreadMessage[] = []
  let cursor: string | undefined
  do {
    const page = await client.getThread({ params, query: { limit: 100, ...(cursor !== undefined && { cursor }) } })
    messages.push(...page.messages)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return messages.filter(({ role }) => role === 'assistant')
}

/** `docent replay`: answers the questions of a thread again, as then and as today. */
export async function replayThread(output: Output, { threadId, site: id }: Omit<ReceiptOptions, 'messageId'>) {
  const replays = await withClient(async (client) => {
    const answers = await listAnswers(client, { id, threadId })
    const made: Replay[] = []
    for (const { id: messageId } of answers)
      made.push(await client.replayAnswer({ params: { id, threadId, messageId } }))
    return made
  })
  output.result(replays, () => replays.map(describeReplay).join('\n\n'))
}

function describeReplay({ question, answer, model, revision, isPromptSame, again, today, missing }: Replay): string {
  const prompts = { true: 'the same', false: 'different', null: 'unknown' }
  const lines = [
    `Question: ${question}`,
    `Answered by ${model ?? 'no model'} from revision ${revision ?? 'unknown'}.`,
    `Original prompt: ${prompts[`${isPromptSame}`]}.`,
    ...(again === null ? [] : [`Original answer: ${again.isSame ? 'the same, byte for byte' : 'different'}.`]),
    ...missing,
  ]
  if (again?.isSame === false) lines.push('Then, replayed:', ...diffLines(answer, again.text))
  if (today !== null) lines.push(today.isSame ? 'Today: the same answer.' : 'Today:')
  if (today?.isSame === false) lines.push(...diffLines(answer, today.text))
  return lines.join('\n')
}

/** Lines of the old text with `-`, of the new one with `+`, what both begin and end with unmarked. */
function diffLines(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const shorter = Math.min(old.length, now.length)
  let start = 0
  while (start < shorter && old[start] === now[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const mark = (sign: string, lines: readonly string[]) => lines.map((line) => `${sign} ${line}`)
  return [
    ...mark(' ', old.slice(0, start)),
    ...mark('-', old.slice(start, old.length - end)),
    ...mark('+', now.slice(start, now.length - end)),
    ...mark(' ', old.slice(old.length - end)),
  ]
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
  const report = await verifyFiles(options).catch((error: Error) => {
    throw new AppError('invalid_request', error.message)
  })
  output.result(report, () => describeReport(report).join('\n'))
  if (!report.verified) process.exitCode = 1
}
