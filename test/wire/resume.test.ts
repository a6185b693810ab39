import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { stopChat } from '../support/chat-stream.ts'
import { createGatedModel } from '../support/gated-model.ts'
import { assistantKey, type Docent, startDocent } from '../support/start-docent.ts'
import { v5Names } from './client-lineup.ts'
import { createV5Client } from './drive-v5.ts'
import { waitUntil } from './wire-client.ts'
import type { WireServer } from './wire-server.ts'

// The product as clients see it that leave in the middle of an answer and come back.

let docent: Docent
const model = createGatedModel()
beforeAll(async () => {
  docent = await startDocent({ model, env: { DOCENT_SHUTDOWN_SECONDS: '0' } })
})
afterAll(() => docent.remove())

function server(): WireServer {
  return {
    url: (version) => `${docent.url}/discovery/${version}/assistant/docs/message`,
    headers: { authorization: `Bearer ${assistantKey}` },
    close: async () => {},
  }
}

describe.each(v5Names)('%s', (release) => {
  const startChat = (more: { asked?: string } = {}) =>
    createV5Client(release, { server: server(), body: { fp: 'anonymous' }, chatId: `chat-${release}`, ...more })

  beforeEach(() => model.close())

  it('resumes after its page was loaded anew [client-resume]', async () => {
    const before = await startChat()
    const asking = before.ask('What is Kiosk?')
    await waitUntil(() => before.partialText() === 'first ')
    await before.stop()
    await asking
    const after = await startChat({ asked: 'What is Kiosk?' })

    const resuming = after.resume()
    await waitUntil(() => after.partialText() === 'first ')
    model.open()
    const turn = await resuming

    expect(turn).toMatchObject({ text: 'first second.', error: null })
    expect(turn.toolOutputs).toHaveLength(1)
    expect(turn.threadIds['metadata']).toMatch(/^[0-9A-Z]{26}$/)
  })

  it('sees no error when its answer is stopped from outside [client-stop-elsewhere]', async () => {
    const chat = await startChat()

    const asking = chat.ask('What is Kiosk?')
    await waitUntil(() => chat.partialText() === 'first ')
    const outcome = await stopChat(docent, `chat-${release}`)
    const turn = await asking

    expect(outcome).toEqual({ stopped: true })
    expect(turn).toMatchObject({ text: 'first ', error: null })
  })
})
