import { findStoredAnswer, makeReceipt } from '../../assistant/receipts/make-receipt.ts'
import { replayAnswer } from '../../assistant/receipts/replay-answer.ts'
import { AppError } from '../../contract/app-error.ts'
import type { receiptOperations } from '../../contract/operations/receipts.ts'
import { consumeReaderLimits } from '../requests/request-limits.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

export function createReceiptHandlers(deps: ServerDeps): Handlers<typeof receiptOperations> {
  return {
    getReceipt: async ({ c, params: { threadId, messageId }, headers }) => {
      const { site, reader } = c.get('readerRequest')
      const asReader = { reader, threadKey: headers['X-Thread-Key'] }
      // A receipt that does not exist must not count.
      const receipt = await makeReceipt(deps, { site, threadId, messageId, asReader })
      const rateLimit = await consumeReaderLimits(c, deps)
      for (const [name, value] of Object.entries(rateLimit)) c.header(name, value)
      return receipt
    },

    getAnswerReceipt: ({ params, site }) => makeReceipt(deps, { ...params, site, asReader: null }),

    replayAnswer: async ({ c, params: { threadId, messageId }, site: { slug } }) => {
      const current = await deps.sites.find(slug)
      if (current === null) throw new AppError('site_not_found', `There is no site ${slug} any more.`)
      const { signal } = c.req.raw
      const stored = await findStoredAnswer(deps, { siteId: current.id, threadId, messageId })
      const release = await deps.answerGate.acquire(current.id, signal)
      const { answers, masksStored } = deps
      try {
        return await deps.sites.withGeneration(current, stored.found.answer.generationId ?? '', (earlier) =>
          replayAnswer(answers, { ...stored, earlier, current, masksStored, log: c.get('log') }, signal),
        )
      } finally {
        release()
      }
    },

    getReceiptKey: () => deps.receiptSigner.publicKey,
  }
}
