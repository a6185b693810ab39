import { makeReceipt } from '../../assistant/receipts/make-receipt.ts'
import type { receiptOperations } from '../../contract/operations/receipts.ts'
import { findOwnSite } from '../requests/own-site.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

export function createReceiptHandlers(deps: ServerDeps): Handlers<typeof receiptOperations> {
  return {
    getReceipt: ({ c, params: { threadId, messageId }, headers }) => {
      const { site, reader } = c.get('readerRequest')
      const asReader = { reader, threadKey: headers['X-Thread-Key'] }
      return makeReceipt(deps, { site, threadId, messageId, asReader })
    },

    getAnswerReceipt: async ({ c, params: { id, threadId, messageId } }) => {
      const site = await findOwnSite(c, deps, id)
      return makeReceipt(deps, { site, threadId, messageId, asReader: null })
    },

    getReceiptKey: () => deps.receiptSigner.publicKey,
  }
}
