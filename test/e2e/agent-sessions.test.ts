import { afterAll, beforeAll, expect, it } from 'vitest'
import { agentSessionListSchema, agentSessionSchema } from '../../src/contract/agent-job.ts'
import { decodeDataStream } from '../../src/contract/data-stream.ts'
import { finishJob, getJob } from '../support/agent-jobs.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

let docent: Docent
beforeAll(async () => {
  docent = await startDocent()
}, 120_000)
afterAll(() => docent.remove())

const path = '/v1/agent/default/job'
const instruction = { role: 'user', content: 'Replace "paper" by "papyrus" on every page.' }

async function* once(text: string) {
  yield text
}

it('creates a job that both versions show, up to its pull request', async () => {
  const created = await docent.post(path, { branch: 'papyrus', messages: [instruction] }, asAdmin)
  const frames = []
  for await (const frame of decodeDataStream(once(await created.text()))) frames.push(frame)
  const id = created.headers.get('x-session-id') ?? ''
  const started = agentSessionSchema.parse(await (await docent.get(`${path}/${id}`, asAdmin)).json())
  await finishJob(docent, id)

  const read = await docent.get(`${path}/${id}`, asAdmin)
  const ended = agentSessionSchema.parse(await read.json())
  const job = await getJob(docent, id)

  expect(created.status).toBe(200)
  expect(frames.length).toBeGreaterThan(2)
  expect(started).toMatchObject({ sessionId: id, subdomain: 'default', branch: 'papyrus' })
  expect(ended).toMatchObject({ haulted: true, haultReason: 'completed', pullRequestLink: job.prLink, todos: [] })
  expect(job).toMatchObject({ status: 'completed', branch: 'papyrus', prompt: instruction.content })
  for (const { headers } of [created, read]) {
    expect(headers.get('deprecation')).toMatch(/^@\d{10}$/)
    expect(headers.get('link')).toMatch(/\/v2\/agent\/default\/job.*rel="successor-version"/)
  }
  const all = await (await docent.get(`${path}s`, asAdmin)).json()
  expect(agentSessionListSchema.parse(all).allSessions).toEqual([ended])
}, 60_000)

it('refuses an empty prompt, and keys that may not start jobs', async () => {
  const blank = { branch: 'x', messages: [{ role: 'user', content: ' ' }] }

  expect((await docent.post(path, blank, asAdmin)).status).toBe(400)
  expect((await docent.post(path, { branch: 'x', messages: [] }, asAdmin)).status).toBe(400)
  expect((await docent.post(path, { branch: 'x', messages: [instruction] })).status).toBe(403)
  expect((await docent.get(`${path}/none`, asAdmin)).status).toBe(404)
})
