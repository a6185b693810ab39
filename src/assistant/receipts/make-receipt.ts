import { hash } from 'node:crypto'
import { AppError } from '../../contract/app-error.ts'
import type { Receipt } from '../../contract/receipts.ts'
import type { Reader } from '../../search/search-query.ts'
import { findAnswer, type FoundAnswer } from '../../store/answers/find-answer.ts'
import { listMessages } from '../../store/answers/messages.ts'
import type { Site } from '../../store/sites/sites.ts'
import type { Store } from '../../store/store.ts'
import type { ReceiptSigner } from './receipt-signer.ts'

export interface ReceiptDeps {
  store: Store
  receiptSigner: ReceiptSigner
}

export interface ReceiptRequest {
  site: Pick<Site, 'id' | 'slug' | 'name'>
  threadId: string
  messageId: string
  /** Null for the owner's side, which sees every answer. */
  asReader: { reader: Reader; threadKey: string } | null
}

/**
 * Signs a stored answer.
 *
 * @throws {AppError} `message_not_found`, also for an answer that the reader may not see, whose existence stays hidden.
 */
export async function makeReceipt({ store, receiptSigner }: ReceiptDeps, request: ReceiptRequest): Promise<Receipt> {
  const { site, threadId, messageId, asReader } = request
  const found = await findAnswer(store.durable, { siteId: site.id, threadId, messageId })
  if (found === null || (asReader !== null && !mayRead(found, asReader))) throw missingAnswer(asReader !== null)
  const { answer, question } = found
  const { verdict, model, citations, basis, asked } = answer
  return receiptSigner.sign({
    site: { id: site.id, slug: site.slug, name: site.name },
    threadId,
    messageId,
    answeredAt: new Date(answer.createdAt).toISOString(),
    question: question.text,
    text: answer.text,
    citations,
    verdict,
    model,
    revision: basis?.revision ?? null,
    commit: basis?.commit ?? null,
    version: asked?.version ?? null,
    language: asked?.language ?? null,
  })
}

/** A stored answer, and what was said before its question. @throws {AppError} `message_not_found`. */
export async function findStoredAnswer({ store }: Pick<ReceiptDeps, 'store'>, ids: Parameters<typeof findAnswer>[1]) {
  const found = await findAnswer(store.durable, ids)
  if (found === null) throw missingAnswer(false)
  const { items } = await listMessages(store.durable, ids.siteId, ids.threadId, { limit: 200, cursor: null })
  const place = items.findIndex(({ id }) => id === found.question.id)
  return { found, history: items.slice(0, Math.max(0, place)) }
}

/**
 * Anyone who knows its id may continue a thread, so its key alone does not open answers to readers who may see more: they
 * may quote hidden pages.
 */
function mayRead({ answer, thread }: FoundAnswer, { reader, threadKey }: NonNullable<ReceiptRequest['asReader']>) {
  const { basis } = answer
  if (basis === null || !isKeyOf(thread, threadKey)) return false
  const hasGroups = basis.readerGroups.every((group) => reader.readerGroups.includes(group))
  return hasGroups && (reader.isSignedIn || !basis.isSignedIn)
}

/** Hashes are compared, so that the time taken reveals nothing about the key. */
function isKeyOf({ keyHash }: FoundAnswer['thread'], threadKey: string): boolean {
  return hash('sha256', threadKey) === keyHash
}

function missingAnswer(isReader: boolean): AppError {
  const advice = isReader ? 'Check the ids and the thread key, and sign in as when you asked.' : 'Check the ids.'
  return new AppError('message_not_found', `There is no such answer. ${advice}`)
}
