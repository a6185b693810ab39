import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readEvents, runJob } from '../support/agent-jobs.ts'
import { askDocent, readTranscript } from '../support/ask.ts'
import {
  countTurns,
  type ScriptedProvider,
  type ScriptedStep,
  startScriptedProvider,
} from '../support/scripted-provider.ts'
import { assistantKey, type Docent, startDocent } from '../support/start-docent.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { v4Lineup, v5Lineup } from '../wire/client-lineup.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

// What a model may say that no database takes, and for which clients refuse a stream.

const server = await startPostgres()
if ('unavailable' in server) process.stderr.write(`Skipped PostgreSQL: ${server.unavailable}\n`)
const databases = ['sqlite', ...('unavailable' in server ? [] : ['postgres'])]

/** An object of the model's making, with keys as JSON has them. */
const hostileInput = (fields: object): object => {
  const hostile = String.raw`"__proto__":{"x":1},"constructor":{"prototype":{"y":1}},"k\u0000\ud800":["\u0000"]`
  const more = JSON.stringify(fields).slice(1)
  return JSON.parse(`{${hostile}${more === '}' ? '' : ','}${more}`) as object
}

const said = ['Paper \ud83d', '\ude00 is\0 out', '\ud800', '.']
const cleanText = 'Paper 😀 is out\ufffd.'

const answer: ScriptedStep[] = [
  { calls: [{ tool: 'search', input: hostileInput({ query: 'printer\0 paper\ud800' }) }] },
  { calls: [{ tool: 'no\0tool', input: hostileInput({}) }] },
  { text: said },
]
const job: ScriptedStep[] = [
  {
    text: said,
    calls: [
      {
        tool: 'write',
        input: hostileInput({ path: 'guides/notes.mdx', content: '---\ntitle: N\0otes\n---\n\nA\ud800.\n' }),
      },
    ],
  },
  {
    calls: [
      { tool: 'finish', input: hostileInput({ title: 'Add \0notes', summary: 'They \ud83d\ude00 asked\ud800.' }) },
    ],
  },
]

let provider: ScriptedProvider
beforeAll(async () => {
  provider = await startScriptedProvider((request) => {
    const isJob = request.tools?.some(({ function: { name } }) => name === 'finish') === true
    // The first search of an answer is made without the model.
    return isJob ? (job[countTurns(request)] ?? {}) : (answer[countTurns(request) - 1] ?? {})
  })
})
afterAll(async () => {
  await provider.close()
  if ('stop' in server) await server.stop()
})

describe.each(databases)('what a model says, on %s', (database) => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startDocent({
      env: {
        DOCENT_MODEL: 'openai-compatible/scripted',
        DOCENT_MODEL_BASE_URL: provider.url,
        ...(database === 'postgres' && {
          DATABASE_URL: 'url' in server ? server.url : '',
          DOCENT_SECRET_KEY: 'x'.repeat(40),
        }),
      },
    })
  })
  afterAll(() => docent.remove())

  it('is stored as readers saw it', async () => {
    const asked = await askDocent(docent, 'What does the printer say?')
    const transcript = await readTranscript(docent, asked.threadId ?? '')

    expect(asked).toMatchObject({ status: 200, error: null })
    expect(asked.text).toContain(cleanText)
    expect(transcript.at(-1)?.text).toBe(asked.text)
    expect(JSON.stringify(asked.frames)).not.toMatch(/__proto__|prototype|\\u0000|\\ud[89a-f]/)
  })

  it('makes a job whose conversation, change and events hold only what can be stored', async () => {
    const ended = await runJob(docent, 'Add a page of notes')
    const events = await readEvents(docent, ended.id)

    expect(ended).toMatchObject({ status: 'completed', failure: null, title: 'Add notes' })
    expect(ended.summary).toContain('They 😀 asked\ufffd.')
    expect(JSON.stringify([ended, events])).not.toMatch(/__proto__|prototype|\\u0000|\\ud[89a-f]/)
  })

  it.each([...v4Lineup, ...v5Lineup])('is read by $name to its end', async ({ create }) => {
    const chat = await create({
      server: {
        url: (version) => `${docent.url}/discovery/${version}/assistant/docs/message`,
        headers: { authorization: `Bearer ${assistantKey}` },
        close: async () => {},
      },
      body: { fp: 'anonymous', threadId: null },
    })

    const turn = await chat.ask('What does the printer say?')

    expect(turn).toMatchObject({ error: null })
    expect(turn.text).toContain(cleanText)
  })
})
