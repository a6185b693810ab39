import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { protocols, readRecording } from '../models/protocols.ts'
import { type RecordedServer, type Reply, startRecordedServer } from '../models/recorded-server.ts'
import { askDocent, readTranscript } from '../support/ask.ts'
import { assistantKey, type Docent, startDocent } from '../support/start-docent.ts'
import { v4Lineup, v5Lineup } from './client-lineup.ts'
import type { WireFile } from './wire-client.ts'

const question = 'What does the error E-42 mean?'
const base64 = Buffer.from('GIF89a\x20\x03\x58\x02\0', 'latin1').toString('base64')
const image: WireFile = { mediaType: 'image/png', filename: 'shot.png', url: `data:image/png;base64,${base64}` }
const log: WireFile = {
  mediaType: 'text/plain',
  filename: 'kiosk.log',
  url: `data:text/plain;base64,${Buffer.from('E-42: paper sensor').toString('base64')}`,
}
const toPart = (file: object) => ({ type: 'file', ...file })

let provider: RecordedServer
beforeAll(async () => {
  provider = await startRecordedServer()
})
afterAll(() => provider.close())

const startWith = (model: string, env: Record<string, string> = {}) =>
  startDocent({
    env: {
      DOCENT_MODEL: model,
      DOCENT_MODEL_BASE_URL: provider.url,
      DOCENT_MODEL_API_KEY: 'key-of-test',
      DOCENT_MODEL_RETRIES: '0',
      ...env,
    },
  })

async function askWith(docent: Docent, files: readonly object[], text = question) {
  const parts = [{ type: 'text', text }, ...files.map(toPart)]
  return askDocent(docent, text, { body: { messages: [{ role: 'user', parts }] } })
}

describe.each(protocols)('$name', (protocol) => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startWith(protocol.model)
  })
  afterAll(() => docent.remove())
  const text: Reply = { type: 'stream', events: readRecording(protocol, 'text') }

  it('gets an image by what it is, and the text of a file', async () => {
    provider.replyWith(protocol.framing, text)

    const answer = await askWith(docent, [image, log])

    const body = JSON.stringify(provider.requests[0]?.body)
    expect(body).toContain(base64)
    expect(body).toContain('image/gif')
    expect(body).not.toContain('data:image/png')
    expect(body).toContain('E-42: paper sensor')
    expect(answer).toMatchObject({ error: null, text: expect.not.stringContaining('not read') as unknown })
  })

  it('that refuses an image is asked again without it, and the answer says so', async () => {
    const error = { type: 'error', error: { type: 'invalid_request_error', message: 'No images here.', code: 0 } }
    provider.replyWith(protocol.framing, { type: 'status', status: 400, body: JSON.stringify(error) }, text)

    const answer = await askWith(docent, [image, log])

    expect(answer.text).toMatch(
      /^Set \*\*PORT\*\*.*\n\nThe image “shot\.png” was not read: the model did not accept it\.$/s,
    )
    expect(provider.requests).toHaveLength(2)
    const [, second] = provider.requests.map(({ body }) => JSON.stringify(body))
    expect(second).not.toContain(base64)
    expect(second).toContain('E-42: paper sensor')
  })
})

describe('The offline model', () => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startDocent()
  })
  afterAll(() => docent.remove())

  it.each([...v4Lineup, ...v5Lineup])('answers $name, and says that it saw no image', async ({ create }) => {
    const server = {
      url: (version: string) => `${docent.url}/discovery/${version}/assistant/docs/message`,
      headers: { authorization: `Bearer ${assistantKey}` },
      close: async () => {},
    }
    const chat = await create({ server, body: { fp: 'anonymous' } })

    const turn = await chat.ask(question, [image])
    const next = await chat.ask('What is the limit of tickets per sale?')

    expect(turn).toMatchObject({ error: null, metadata: { verdict: 'supported' } })
    expect(turn.text).toMatch(/^The image was not read: the offline model cannot see images\.\n\n.*paper has run out/s)
    expect(next.text).not.toContain('not read')
  })

  it('is asked for the beginning of a text file by a question that says little', async () => {
    const { text, frames } = await askWith(docent, [log], 'What does this mean?')

    const query = frames.flatMap((frame) => (frame.type === 'tool-input-available' ? [frame.input] : []))
    expect(query).toEqual([{ query: expect.stringContaining('E-42: paper sensor') as unknown }])
    expect(text).toMatch(/^The file was not read: the offline model only searches for the beginning of files\./)
  })

  it('leaves out what is no file that is read, and says so for each', async () => {
    const { text } = await askWith(docent, [
      { mediaType: 'image/png', filename: 'far.png', url: 'http://127.0.0.1:1/x.png' },
      { mediaType: 'application/pdf', filename: 'a.pdf', url: 'data:application/pdf;base64,JVBERi0=' },
    ])

    expect(text).toMatch(
      /^The image “far\.png” was not read: addresses are not fetched.* The file “a\.pdf” was not read: only PNG/,
    )
  })

  it('stores of files only name and type', async () => {
    const { threadId } = await askWith(docent, [image, log])

    const [asked] = await readTranscript(docent, threadId)
    expect(asked?.text).toBe(`${question}\n\n[Attached: shot.png (image/gif), kiosk.log (text/plain)]`)
  })

  it('reads no question in a message without text, and none where no message has any', async () => {
    const parts = [toPart(image)]
    const alone = await docent.post('/discovery/v2/assistant/docs/message', {
      fp: 'anonymous',
      messages: [{ role: 'user', parts }],
    })
    const { text } = await askDocent(docent, '', {
      body: {
        messages: [
          { role: 'user', parts: [{ type: 'text', text: question }] },
          { role: 'user', parts },
        ],
      },
    })

    expect(alone.status).toBe(400)
    expect(await alone.json()).toMatchObject({ error: expect.stringContaining('Say in words') as unknown })
    expect(text).toMatch(/^The image was not read: .*paper has run out/s)
  })
})

describe('files and money', () => {
  const [protocol] = protocols

  it('an answer that would cost too much with its files is given without them, and says so', async () => {
    const docent = await startWith('anthropic/claude-opus-4-5')
    const anthropic = protocols.find(({ model }) => model.startsWith('anthropic/'))
    if (anthropic === undefined) throw new Error('Anthropic is a provider.')
    provider.replyWith(anthropic.framing, { type: 'stream', events: readRecording(anthropic, 'text') })
    const text = 'x'.repeat(64_000)
    const large = { mediaType: 'text/plain', filename: 'a.txt', url: `data:text/plain,${text}` }

    const answer = await askWith(docent, [large])
    await docent.remove()

    expect(answer.text).toMatch(
      /^Set .*\n\nThe file was not read: with it, the answer could cost more than this site allows\.$/s,
    )
    expect(JSON.stringify(provider.requests.map(({ body }) => body))).not.toContain('x'.repeat(300))
  })

  it('a fallback to the offline model says that it did not read them', async () => {
    const docent = await startWith(protocol?.model ?? '', { DOCENT_MODEL_FALLBACKS: 'docent/offline' })
    provider.replyWith('named', { type: 'status', status: 500, body: '{}' })

    const answer = await askWith(docent, [image])
    await docent.remove()

    expect(answer.text).toMatch(
      /paper has run out.*\n\nThe image was not read: the offline model cannot see images\.$/s,
    )
  })
})
