import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { dayMs } from '../../src/base/durations.ts'
import { readSpending } from '../../src/store/counts/spending.ts'
import { protocolOf, readRecording } from '../models/protocols.ts'
import { answerBounds } from '../../src/assistant/answer-bounds.ts'
import { type RecordedServer, type Reply, startRecordedServer } from '../models/recorded-server.ts'
import { askDocent, readTranscript } from '../support/ask.ts'
import { createGatedModel } from '../support/gated-model.ts'
import { noon, noonClock } from '../support/noon.ts'
import { createScriptedModel } from '../support/scripted-model.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { waitUntil } from '../wire/wire-client.ts'

// What a reader sees, what is stored and what is spent when something fails. The documentation has the same table,
// which each sentence is looked up in.

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/faults.mdx'), 'utf8')
const chat = protocolOf('openai-compatible')
const recording = (name: string) => readRecording(chat, name)
const question = 'What does the error E-42 mean?'
/** What is reserved for the output of one call at two dollars for a million tokens; its prompt comes on top. */
const reservedForOutput = answerBounds.outputTokens * 2

let docent: Docent
let provider: RecordedServer | null = null
afterEach(async () => {
  await docent.remove()
  await provider?.close()
  provider = null
})

async function spentMicroUsd(): Promise<number> {
  const db = docent.service.store.durable
  const { id } = await db.selectFrom('sites').select('id').executeTakeFirstOrThrow()
  return readSpending(db, { siteId: id, windowStart: noon - dayMs / 2 })
}

/** A provider on this machine, a dollar a token in and two out, and a ceiling, so that spending is counted. */
async function startWithProvider(replies: readonly Reply[], env: Record<string, string> = {}): Promise<RecordedServer> {
  provider = await startRecordedServer()
  provider.replyWith('data-until-done', ...replies)
  docent = await startDocent({
    clock: noonClock,
    env: {
      DOCENT_MODEL: 'openai-compatible/qwen3:8b',
      DOCENT_MODEL_BASE_URL: provider.url,
      DOCENT_MODEL_RETRIES: '0',
      DOCENT_MODEL_PRICES: 'openai-compatible/qwen3=1:2',
      DOCENT_SITE_COST_PER_DAY: '5',
      ...env,
    },
  })
  return provider
}

interface Fault {
  name: string
  replies: Reply[]
  /** As the documentation has it. */
  sentence: string
  verdict: string
  /** What counts against the ceiling. */
  spent: 'nothing' | 'reservation' | 'cost'
  /** Time limits, where the fault is that one is over. */
  env?: Record<string, string>
}

const unreachable =
  'The model could not be reached or failed. Ask again in a minute; tell the operator if the problem persists.'
const brokeOff = 'The answer broke off because the model failed. Ask again.'

const refused: Fault[] = [
  { name: 'is down', replies: [{ type: 'hang-up' }], sentence: unreachable, verdict: 'failed', spent: 'reservation' },
  {
    name: 'says nothing in time',
    replies: [{ type: 'silence' }],
    sentence: 'The model took too long to answer. Ask again in a minute; tell the operator if the problem persists.',
    verdict: 'failed',
    spent: 'reservation',
    env: { DOCENT_MODEL_FIRST_TOKEN_SECONDS: '1' },
  },
  {
    name: 'is asked too often',
    replies: [{ type: 'status', status: 429, body: '{}' }],
    sentence: 'The model is receiving too many requests. Ask again in a minute.',
    verdict: 'failed',
    spent: 'nothing',
  },
  {
    name: 'refuses the key',
    replies: [{ type: 'status', status: 401, body: '{}' }],
    sentence: 'The model refused the key of this service. Tell its operator.',
    verdict: 'failed',
    spent: 'nothing',
  },
  {
    name: 'sends what nobody can read',
    replies: [{ type: 'stream', events: ['{"'] }],
    sentence: unreachable,
    verdict: 'failed',
    spent: 'reservation',
  },
]

const begun: Fault[] = [
  {
    name: 'breaks off',
    replies: [{ type: 'stream', events: recording('text').slice(0, 4), end: 'cut' }],
    sentence: brokeOff,
    verdict: 'failed',
    spent: 'reservation',
  },
  {
    name: 'falls silent in the middle',
    replies: [{ type: 'stream', events: recording('text').slice(0, 4), end: 'open' }],
    sentence: brokeOff,
    verdict: 'failed',
    spent: 'reservation',
    env: { DOCENT_MODEL_SILENCE_SECONDS: '1' },
  },
  {
    name: 'fails in the middle',
    replies: [{ type: 'stream', events: recording('error-mid-stream') }],
    sentence: brokeOff,
    verdict: 'failed',
    spent: 'reservation',
  },
]

const ended: Fault[] = [
  {
    name: 'ends without a word',
    replies: [{ type: 'stream', events: recording('empty') }],
    sentence: 'The model gave no answer to this. Ask again in other words.',
    verdict: 'unanswered',
    spent: 'cost',
  },
  {
    name: 'calls tools without end',
    replies: [{ type: 'stream', events: recording('tool-call') }],
    sentence: 'The model gave no answer to this. Ask again in other words.',
    verdict: 'unanswered',
    spent: 'cost',
  },
]

describe('when the provider', () => {
  it.each([...refused, ...begun])(
    '$name, the reader gets a sentence',
    async ({ replies, sentence, verdict, spent, env }) => {
      await startWithProvider(replies, env)

      const answer = await askDocent(docent, question)
      const stored = await readTranscript(docent, answer.threadId)

      expect(page).toContain(sentence)
      expect(answer.error).toBe(sentence)
      expect(stored).toMatchObject([
        { role: 'user', text: question },
        { role: 'assistant', text: answer.text, verdict, costUsd: spent === 'nothing' ? 0 : null },
      ])
      const counted = await spentMicroUsd()
      expect({ isNothing: counted === 0, isReservation: counted > reservedForOutput }).toEqual({
        isNothing: spent === 'nothing',
        isReservation: spent === 'reservation',
      })
    },
  )

  it.each(ended)('$name, the reader gets an answer that says so', async ({ replies, sentence, verdict }) => {
    const { requests } = await startWithProvider(replies)

    const answer = await askDocent(docent, question)
    const [, stored] = await readTranscript(docent, answer.threadId)

    expect(page).toContain(sentence)
    expect(answer).toMatchObject({ error: null, metadata: { answered: false } })
    expect(answer.text.endsWith(sentence)).toBe(true)
    expect(stored).toMatchObject({ text: answer.text, verdict })
    expect(requests.length).toBeLessThanOrEqual(6)
    expect(stored?.costUsd).toBeGreaterThan(0)
    expect(await spentMicroUsd()).toBe(Math.ceil((stored?.costUsd ?? 0) * 1_000_000 - 1e-6))
  })

  it('is down, a fallback answers and the reader sees no fault', async () => {
    provider = await startRecordedServer()
    provider.replyWith('data-until-done', { type: 'status', status: 503, body: '{}' })
    docent = await startDocent({
      env: {
        DOCENT_MODEL: 'openai-compatible/qwen3:8b',
        DOCENT_MODEL_BASE_URL: provider.url,
        DOCENT_MODEL_RETRIES: '0',
        DOCENT_MODEL_FALLBACKS: 'docent/offline',
      },
    })

    const answer = await askDocent(docent, question)

    expect(answer).toMatchObject({ error: null, metadata: { model: 'docent/offline', answered: true } })
  })
})

describe('when the database is gone', () => {
  it('in the middle of an answer, the reader keeps the text and gets a sentence, and the answer does not finish', async () => {
    const model = createGatedModel()
    docent = await startDocent({ model })
    model.close()

    const asking = askDocent(docent, question)
    await waitUntil(() => model.calls.length === 1)
    await docent.service.store.close()
    model.open()
    const answer = await asking

    expect(answer.text).toBe('first second.')
    expect(answer.error).toMatch(/^[A-Z].*\.$/)
    expect(page).toContain(answer.error)
    expect(answer.frames.some(({ type }) => type === 'finish')).toBe(false)
  })
})

describe('when the client', () => {
  it('is gone, the model is stopped, and what was said is stored', async () => {
    const model = createGatedModel()
    docent = await startDocent({ model, clock: noonClock, env: { DOCENT_SITE_COST_PER_DAY: '5' } })
    model.close()
    const leaving = new AbortController()

    const response = await fetch(`${docent.url}/discovery/v2/assistant/docs/message`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer svc_dsc_${'b'.repeat(43)}` },
      body: JSON.stringify({
        fp: 'anonymous',
        messages: [{ role: 'user', parts: [{ type: 'text', text: question }] }],
      }),
      signal: leaving.signal,
    })
    await waitUntil(() => model.calls.length === 1)
    leaving.abort()
    await waitUntil(() => model.isStopped())
    const answers = () =>
      docent.service.store.durable.selectFrom('messages').selectAll().where('role', '=', 'assistant').execute()
    while ((await answers()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))

    expect(response.status).toBe(200)
    expect(await answers()).toMatchObject([{ verdict: 'disconnected', costUsd: null }])
    // The price of scripted models is ten times as high.
    expect(await spentMicroUsd()).toBe(reservedForOutput * 10)
  })

  it('sends a body at the limit, it is answered; beyond it, nothing is asked, stored or spent', async () => {
    const model = createScriptedModel([[{ type: 'text', text: 'See [Printers](/guides/printers).' }]])
    docent = await startDocent({ model, clock: noonClock, env: { DOCENT_SITE_COST_PER_DAY: '5' } })
    const bodyOf = (bytes: number) => {
      const body = { fp: 'anonymous', messages: [{ role: 'user', parts: [{ type: 'text', text: question }] }], pad: '' }
      return JSON.stringify({ ...body, pad: 'x'.repeat(bytes - JSON.stringify(body).length) })
    }
    const path = '/discovery/v2/assistant/docs/message'

    const over = await docent.post(path, bodyOf(4 * 1024 * 1024 + 1))
    const spentBefore = await spentMicroUsd()
    const at = await docent.post(path, bodyOf(4 * 1024 * 1024))
    const { error } = (await over.json()) as { error: string }
    const text = await at.text()

    expect({ status: over.status, spentBefore, calls: model.calls.length }).toEqual({
      status: 413,
      spentBefore: 0,
      calls: 1,
    })
    expect(page).toContain(error)
    expect(at.status).toBe(200)
    expect(text).toContain(`[Printers](${docent.url}/sites/docs/guides/printers).`)
  })

  it('sends a conversation of 200 turns, the newest 40 messages are read, within bounds', async () => {
    const model = createScriptedModel([[{ type: 'text', text: 'See [Printers](/guides/printers).' }]])
    docent = await startDocent({ model })
    const history = Array.from({ length: 400 }, (_, index) => `turn ${index} ${'word '.repeat(200)}`)

    const answer = await askDocent(docent, question, { history })

    const prompt = JSON.stringify(model.calls.at(-1)?.prompt)
    expect(answer).toMatchObject({ error: null, text: `See [Printers](${docent.url}/sites/docs/guides/printers).` })
    expect(prompt).toContain('turn 399 ')
    expect(prompt).not.toContain('turn 360 ')
    expect(prompt.length).toBeLessThan(150_000)
  })
})
