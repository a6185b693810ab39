import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { protocolOf, readRecording } from './protocols.ts'
import { type RecordedServer, type Reply, startRecordedServer } from './recorded-server.ts'

let server: RecordedServer
let docent: Docent
beforeAll(async () => {
  server = await startRecordedServer()
  docent = await startDocent({
    env: {
      DOCENT_MODEL: 'openai-compatible/qwen3:8b',
      DOCENT_MODEL_BASE_URL: server.url,
      DOCENT_MODEL_RETRIES: '0',
    },
  })
})
afterAll(async () => {
  await docent.remove()
  await server.close()
})

const body = { fp: 'anonymous', messages: [{ role: 'user', parts: [{ type: 'text', text: 'How do I install it?' }] }] }

/** What a client of the AI SDK 5 to 7 gets when the provider replies so. */
async function ask(reply: Reply): Promise<string> {
  server.replyWith('data-until-done', reply)
  const response = await docent.post('/discovery/v2/assistant/docs/message', body)
  expect(response.status).toBe(200)
  return response.text()
}

const chat = protocolOf('openai-compatible')
const events = readRecording(chat, 'text')

it('answers with the model of the settings, from the passages of the site', async () => {
  const stream = await ask({ type: 'stream', events })

  const deltas = [...stream.matchAll(/"type":"text-delta","id":"[^"]+","delta":"([^"]*)"/g)].map(([, delta]) => delta)
  expect(deltas.join('')).toBe('Set **PORT** to 8080, then start it again.')
  expect(stream).toContain('"model":"openai-compatible/qwen3:8b"')
  expect(stream.trimEnd()).toMatch(/data: \[DONE\]$/)
  expect(JSON.stringify(server.requests[0]?.body)).toContain('kiosk')
})

it.each<[string, Reply, string]>([
  ['is down', { type: 'hang-up' }, 'The model could not be reached or failed.'],
  ['is asked too often', { type: 'status', status: 429, body: '{}' }, 'The model is receiving too many requests.'],
  ['refuses the key', { type: 'status', status: 401, body: '{}' }, 'The model refused the key of this service.'],
  ['sends what nobody can read', { type: 'stream', events: ['{"'] }, 'The model could not be reached or failed.'],
  ['breaks off', { type: 'stream', events: events.slice(0, 4), end: 'cut' }, 'The answer broke off'],
])('ends with a sentence when the provider %s', async (_, reply, sentence) => {
  const stream = await ask(reply)

  expect(stream).toContain(`"type":"error","errorText":"${sentence}`)
  expect(stream.trimEnd()).toMatch(/data: \[DONE\]$/)
})
