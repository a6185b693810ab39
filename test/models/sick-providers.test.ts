import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assistantKey, type Docent, startDocent } from '../support/start-docent.ts'
import { createV4Client } from '../wire/drive-v4.ts'
import { createV5Client } from '../wire/drive-v5.ts'
import type { WireServer } from '../wire/wire-server.ts'
import { protocolOf, readRecording } from './protocols.ts'
import { type RecordedServer, startRecordedServer } from './recorded-server.ts'
import { listSharedRecordings, readSharedReply } from './shared-recordings.ts'
import { listSickScripts, type SickEnd, usualText } from './sick-scripts.ts'

// Everything that a provider may do wrong, over a socket, as the strictest client of each format sees it.

const question = 'What does the error E-42 mean?'
const sentence = /^The (?:model|answer|provider) [^<>{}]+\.$/
const noError = /^$/
const saidSentence = /The model (?:gave no answer|declined to answer|used up all of its tokens)/
const cutSentence = /\n\n\*(?:This answer was cut off because|The model’s content filter cut this answer off)/

/** What a reader must see of each end: whether it is an error, which reason, and which text. */
const ends: Record<SickEnd, { hasError: boolean; reasons: readonly unknown[]; text: RegExp }> = {
  whole: { hasError: false, reasons: ['stop'], text: /./ },
  length: { hasError: false, reasons: ['length'], text: cutSentence },
  'content-filter': { hasError: false, reasons: ['content-filter'], text: cutSentence },
  other: { hasError: false, reasons: ['other'], text: /\n\n\*The model stopped for a reason of its own/ },
  said: { hasError: false, reasons: ['stop', 'length', 'content-filter', 'other'], text: saidSentence },
  broke: { hasError: true, reasons: [undefined], text: /^Set / },
  failed: { hasError: true, reasons: [undefined], text: /^$/ },
}

const kinds = [
  ['openai', 'openai-responses'],
  ['openai-compatible', 'chat-completions'],
  ['anthropic', 'anthropic-messages'],
  ['google', 'gemini'],
  ['mistral', 'mistral'],
  ['cohere', 'cohere'],
  ['amazon-bedrock', 'bedrock-converse'],
] as const

describe.each(kinds.map(([name, kind]) => ({ kind, protocol: protocolOf(name) })))(
  '$protocol.name',
  ({ kind, protocol }) => {
    let provider: RecordedServer
    let docent: Docent
    beforeAll(async () => {
      provider = await startRecordedServer()
      docent = await startDocent({
        env: {
          DOCENT_MODEL: protocol.model,
          DOCENT_MODEL_BASE_URL: provider.url,
          DOCENT_MODEL_API_KEY: 'key-of-test',
          DOCENT_MODEL_RETRIES: '0',
          DOCENT_MODEL_FIRST_TOKEN_SECONDS: '2',
          DOCENT_MODEL_SILENCE_SECONDS: '1',
          DOCENT_SITE_COST_PER_DAY: 'unlimited',
          DOCENT_SITE_TOKENS_PER_DAY: 'unlimited',
        },
      })
    })
    afterAll(async () => {
      await docent.remove()
      await provider.close()
    })

    const clients = [
      {
        wire: 'v1',
        create: async (server: WireServer) => createV4Client('ai-v4-oldest', { server, body: { fp: 'a' } }),
      },
      { wire: 'v2', create: (server: WireServer) => createV5Client('ai-v5-oldest', { server, body: { fp: 'a' } }) },
    ]
    const pickClient = (index: number) => clients[index % clients.length] as (typeof clients)[number]
    const server: WireServer = {
      url: (version) => `${docent.url}/discovery/${version}/assistant/docs/message`,
      headers: { authorization: `Bearer ${assistantKey}` },
      close: async () => {},
    }
    // One format for each, in turn: what reads a provider knows nothing of the format that clients get.
    const cases = listSickScripts(protocol, kind).map((script, index) => ({
      ...script,
      ...pickClient(index + kinds.findIndex((each) => each[1] === kind)),
    }))

    it.each(cases)('that $name leaves an honest end over $wire', async ({ create, replies, end, text, usage }) => {
      provider.replyWith(protocol.framing, ...replies)

      const turn = await (await create(server)).ask(question)

      const { hasError, reasons, text: expected } = ends[end]
      expect(turn.error ?? '').toMatch(hasError ? sentence : noError)
      expect(reasons).toContain(turn.metadata['finishReason'])
      expect(turn.text).toMatch(expected)
      // A provider that says nothing has not been cut off.
      expect(end === 'said' && turn.text.includes('*')).toBe(false)
      const whole = text ?? usualText
      expect(end === 'whole' ? turn.text : whole).toBe(whole)
      expect(turn.metadata).toMatchObject(usage === undefined ? {} : { usage })
    })

    const recordings = listSharedRecordings(protocol).flatMap((recording) =>
      clients.map((client) => ({ ...recording, ...client })),
    )

    it.each(recordings)('$name ends well over $wire', async ({ create, file }) => {
      const text = { type: 'stream', events: readRecording(protocol, 'text') } as const
      provider.replyWith(protocol.framing, readSharedReply(file), text)

      const turn = await (await create(server)).ask(question)

      const isRefused = file.endsWith('.json')
      expect(turn.error ?? '').toMatch(isRefused ? sentence : noError)
      expect(turn.text === '').toBe(isRefused)
      expect(['stop', 'length', 'content-filter', undefined]).toContain(turn.metadata['finishReason'])
    })
  },
)
