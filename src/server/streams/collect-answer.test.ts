import { expect, it } from 'vitest'
import { collectAnswer } from './collect-answer.ts'

it('says why an answer failed', async () => {
  const source = async (emit: Parameters<Parameters<typeof collectAnswer>[0]['source']>[0]) => {
    await emit({ type: 'answer-started', messageId: 'msg_1', threadId: 'thread' })
    await emit({ type: 'answer-failed', message: 'The model is busy.', retryAfterMs: 5_000 })
  }

  const collected = await collectAnswer({ source, reportError: () => {} }, new AbortController().signal)

  expect(collected).toMatchObject({ failure: { message: 'The model is busy.', retryAfterMs: 5_000 } })
})
