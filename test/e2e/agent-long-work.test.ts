import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { decodeAgentJobEvents } from '../../src/contract/agent-job-event.ts'
import { createJob, getJob, jobsPath, readEvents, runJob, sendToJob } from '../support/agent-jobs.ts'
import {
  type AnthropicServer,
  type MessagesReply,
  type MessagesRequest,
  startAnthropicServer,
} from '../support/anthropic-server.ts'
import { editorPrompt, listPages, playEditor } from '../support/competent-editor.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

const model = 'anthropic/claude-sonnet-4-5'
const contextTokens = 12_000
const pages = 12

let server: AnthropicServer
let docent: Docent
let folder: string
let script: (request: MessagesRequest, number: number) => MessagesReply = playEditor

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-long-work-'))
  const files = listPages(pages, 4_000)
  const navigation = { pages: [...files.keys()].map((path) => path.replace('.mdx', '')) }
  files.set('docs.json', JSON.stringify({ name: 'Pumps', navigation }))
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  server = await startAnthropicServer((request, number) => script(request, number))
  docent = await startDocent({
    demoFolder: folder,
    readsDemoInPlace: false,
    env: {
      DOCENT_AGENT_MODEL: model,
      DOCENT_AGENT_MODEL_BASE_URL: server.url,
      DOCENT_AGENT_MODEL_API_KEY: 'key-of-test',
      DOCENT_AGENT_MODEL_RETRIES: '1',
      DOCENT_MODEL_OPTIONS: JSON.stringify({ [model]: { contextTokens } }),
    },
  })
})
afterAll(async () => {
  await docent.remove()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  server.requests.length = 0
  server.used.length = 0
})

const eventsOf = async (id: string) => (await readEvents(docent, id)).map(({ event }) => event)
const finish = (): MessagesReply => ({
  calls: [{ tool: 'finish', input: { title: 'Look', summary: 'Nothing to do.' } }],
})
const play = (steps: readonly MessagesReply[]) => {
  script = ({ messages }) => steps[messages.filter(({ role }) => role === 'assistant').length] ?? finish()
}

it('work that exceeds the window several times is done whole, mostly from the cache, although a step breaks off', async () => {
  let broken = 0
  script = (request) => {
    const reply = playEditor(request)
    return server.requests.length === 6 && broken++ === 0 ? { ...reply, breaksOff: true, calls: [] } : reply
  }

  const job = await runJob(docent, editorPrompt)

  expect(job).toMatchObject({ status: 'completed', pullRequest: { draft: false } })
  expect(job.changes).toHaveLength(pages)
  const types = (await eventsOf(job.id)).map(({ type }) => type)
  expect(types).toEqual(expect.arrayContaining(['results-elided', 'conversation-compacted']))
  const { steps, inputTokens, cachedTokens, costUsd } = job.usage
  expect(broken).toBeGreaterThan(0)
  expect(steps).toBe(server.used.length - 1)
  expect(cachedTokens / inputTokens).toBeGreaterThan(0.6)
  const read = inputTokens - cachedTokens
  expect(costUsd).toBeLessThan((read * 3.75 + cachedTokens * 0.3 + job.usage.outputTokens * 15) / 1_000_000 + 0.001)
}, 60_000)

it('a conversation that the model refuses as too long is shortened, and the step repeated', async () => {
  script = (request, number) =>
    number === 8
      ? { refusal: { status: 400, message: 'prompt is too long: 12500 tokens > 12000 maximum' } }
      : playEditor(request)

  const job = await runJob(docent, editorPrompt)

  expect(job).toMatchObject({ status: 'completed' })
  expect(job.changes).toHaveLength(pages)
  expect((await eventsOf(job.id)).some(({ type }) => type === 'conversation-compacted')).toBe(true)
}, 60_000)

it('ten thousand calls in one step are not run, and break nothing', async () => {
  const calls = Array.from({ length: 10_000 }, (_, index) => ({
    tool: 'read',
    input: { path: `guides/part-${index}.mdx` },
  }))
  play([{ calls }])

  const job = await runJob(docent, 'Look around.')

  expect(job).toMatchObject({ status: 'completed' })
  const called = (await eventsOf(job.id)).filter(({ type }) => type === 'tool-called')
  expect(called).toHaveLength(257)
  expect(JSON.stringify(server.requests.at(-1)).length).toBeLessThan(200_000)
}, 60_000)

it('a model that makes one call again and again is told, and then stopped with what is done', async () => {
  script = () => ({ calls: [{ tool: 'read', input: { path: 'guides/nowhere.mdx' } }] })

  const job = await runJob(docent, 'Look around.')

  expect(job).toMatchObject({ status: 'failed', failure: { code: 'not_finished' }, usage: { steps: 6 } })
  expect(JSON.stringify(server.requests.at(-1))).toContain('You have made this call 5 times')
}, 60_000)

it('a model that looks around without end is told, and then stopped with what is done', async () => {
  script = (_request, number) => ({ calls: [{ tool: 'grep', input: { pattern: `word ${number}` } }] })

  const job = await runJob(docent, 'Look around.')

  expect(job).toMatchObject({ status: 'failed', failure: { code: 'not_finished' }, usage: { steps: 25 } })
  expect(JSON.stringify(server.requests[14])).not.toContain('Nothing has changed in 15 steps')
  expect(JSON.stringify(server.requests[15])).toContain('Nothing has changed in 15 steps')
}, 60_000)

it('a model that is away makes the job wait, not fail', async () => {
  script = () => ({ refusal: { status: 503, message: 'overloaded' } })
  const job = await createJob(docent, 'Look around.')

  const response = await docent.get(`${jobsPath}/job/${job.id}/events`, asAdmin)
  const pieces = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())
  for await (const { event } of decodeAgentJobEvents(pieces)) {
    if (event.type !== 'job-waiting') continue
    expect(Date.parse(event.until)).toBeGreaterThan(Date.now() + 30_000)
    break
  }

  expect((await getJob(docent, job.id)).status).toBe('active')
  await sendToJob(docent, job.id, 'cancel')
}, 60_000)

it('thoughts go back to the provider as it signed them, and the beginning stays the same', async () => {
  play([
    { thinking: 'Let me see.', calls: [{ tool: 'list', input: {} }] },
    { calls: [{ tool: 'list', input: { under: 'x' } }] },
  ])

  await runJob(docent, 'Look around.')

  const [first, second, third] = server.requests
  const thought = { type: 'thinking', thinking: 'Let me see.', signature: 'signed 11' }
  expect(second?.messages[1]?.content[0]).toMatchObject(thought)
  expect(third?.messages[1]?.content[0]).toMatchObject(thought)
  expect([second?.system, second?.tools]).toEqual([first?.system, first?.tools])
  expect(server.used.slice(1).every(({ cacheRead, fresh }) => cacheRead > 0 && fresh === 0)).toBe(true)
}, 60_000)
