import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RecordedServer, startRecordedServer } from '../models/recorded-server.ts'
import { protocolOf, readRecording } from '../models/protocols.ts'
import { readTranscript } from '../support/ask.ts'
import { assistantKey, type Docent, startDocent } from '../support/start-docent.ts'
import { createV4Client, v4Releases } from './drive-v4.ts'
import { createV5Client } from './drive-v5.ts'
import { v5Names } from './client-lineup.ts'
import type { WireServer } from './wire-server.ts'

// A provider that breaks off in the middle of each answer, and the offline model behind it.

let provider: RecordedServer
let docent: Docent
beforeAll(async () => {
  provider = await startRecordedServer()
  docent = await startDocent({
    env: {
      DOCENT_MODEL: 'openai-compatible/qwen3:8b',
      DOCENT_MODEL_BASE_URL: provider.url,
      DOCENT_MODEL_RETRIES: '0',
      DOCENT_MODEL_FALLBACKS: 'docent/offline',
    },
  })
  const events = readRecording(protocolOf('openai-compatible'), 'text').slice(0, -4)
  provider.replyWith('data-until-done', { type: 'stream', events, end: 'cut' })
})
afterAll(async () => {
  await docent.remove()
  await provider.close()
})

const server: WireServer = {
  url: (version) => `${docent.url}/discovery/${version}/assistant/docs/message`,
  headers: { authorization: `Bearer ${assistantKey}` },
  close: async () => {},
}
const question = 'What does the error E-42 mean?'
const brokeOff = 'The answer broke off because the model failed. Ask again.'

it('a client that accepts it gets the answer of the fallback in place of the one that broke off [v2-reset-step]', async () => {
  const chat = await createV5Client('ai-v7', { server, body: { fp: 'anonymous', accept: ['reset-step', 'other'] } })

  const turn = await chat.ask(question)

  expect(turn).toMatchObject({
    error: null,
    sources: [{ title: 'Printers: Error E-42' }],
    metadata: { model: 'docent/offline', finishReason: 'stop', verdict: 'supported' },
  })
  expect(turn.text).toContain('The code `E-42` means that the paper has run out.')
  expect(turn.text).not.toContain('Set **')
  const stored = await readTranscript(docent, String(turn.threadIds['header']))
  expect(stored.at(-1)?.text).toBe(turn.text)
})

it.each(v5Names)('%s, which does not say so, is told that the answer broke off [v2-portable-keys]', async (release) => {
  const chat = await createV5Client(release, { server, body: { fp: 'anonymous' } })

  expect(await chat.ask(question)).toMatchObject({ error: brokeOff, text: expect.stringMatching(/^Set /) as unknown })
})

it.each(v4Releases)('%s has no such part, whatever it accepts [v1-portable-codes]', async (release) => {
  const chat = createV4Client(release, { server, body: { fp: 'anonymous', accept: ['reset-step'] } })

  expect(await chat.ask(question)).toMatchObject({ error: brokeOff, text: expect.stringMatching(/^Set /) as unknown })
})
