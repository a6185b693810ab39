import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  askedQuestionListSchema,
  gapListSchema,
  gapSchema,
  insightsSummarySchema,
  jobDraftSchema,
  topicListSchema,
} from '../../src/contract/insights.ts'
import { suiteChangedSchema, suiteSchema } from '../../src/contract/suite.ts'
import { threadListSchema, transcriptSchema } from '../../src/contract/threads.ts'
import { RetentionWorker } from '../../src/worker/retention-worker.ts'
import { silentLog } from '../../src/telemetry/log.ts'
import { finishJob } from '../support/agent-jobs.ts'
import { addOtherOrganization } from '../support/other-organization.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

const answerable = 'What does the error E-42 mean?'
const formula = '=How do I bake a cake in the kiosk?'
const zorblat = 'Where can I buy a zorblat for the kiosk?'
const cake = 'How do I bake a cake in the kiosk?'

let docent: Docent
let asRival: { authorization: string }

async function ask(text: string, { client = '', body = {} }: { client?: string; body?: object } = {}): Promise<string> {
  const messages = [{ role: 'user', parts: [{ type: 'text', text }] }]
  const path = '/discovery/v2/assistant/docs/message'
  const response = await docent.post(path, { fp: 'reader', messages, ...body }, { 'x-docent-client': client })
  const [, messageId = ''] = /"messageId":"([^"]+)"/.exec(await response.text()) ?? []
  return messageId
}

beforeAll(async () => {
  docent = await startDocent()
  asRival = await addOtherOrganization(docent)
  const answered = await ask(answerable, { client: 'widget', body: { currentPath: '/guides/printers' } })
  await docent.post('/discovery/v2/assistant/docs/feedback', { messageId: answered, helpful: true })
  await ask(cake, { client: 'page', body: { filter: { version: 'v7' } } })
  await ask(formula)
  await ask('My address is jane.doe@example.com, what about E-42?')
}, 120_000)
afterAll(() => docent.remove())

const get = async (path: string, headers: Record<string, string> = asAdmin) => {
  const response = await docent.get(`/admin/v1${path}`, headers)
  return { status: response.status, body: (await response.json()) as unknown }
}
const listQuestions = async (query = '') =>
  askedQuestionListSchema.parse((await get(`/insights/questions?${query}`)).body).items
const listGaps = async (query = 'siteId=docs', headers = asAdmin) =>
  gapListSchema.parse((await get(`/insights/gaps?${query}`, headers)).body).items
const send = (method: string, path: string, body?: object, headers: Record<string, string> = asAdmin) =>
  fetch(`${docent.url}/admin/v1${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })

describe('questions', () => {
  it('are counted over time, by verdict, caller and version, and by the pages that were cited', async () => {
    const summary = insightsSummarySchema.parse((await get('/insights/summary')).body)

    expect(summary.total).toMatchObject({ questions: 4, helpful: 1, unhelpful: 0, broken: 0 })
    expect(summary.total.answered + summary.total.unanswered).toBe(4)
    expect(summary.buckets.reduce((sum, { questions }) => sum + questions, 0)).toBe(4)
    expect(summary.byCaller.map(({ value, questions }) => [value, questions])).toEqual(
      expect.arrayContaining([
        ['widget', 1],
        ['page', 1],
        ['api', 2],
      ]),
    )
    expect(summary.byVersion.map(({ value }) => value)).toEqual([null, 'v7'])
    expect(summary.byPage[0]?.url).toMatch(/\/guides\/printers$/)
    expect(summary.durations.totalMs).toBeGreaterThanOrEqual(summary.durations.firstTextMs ?? 0)
  })

  it('are listed with what they came through, without personal data, as the filter names them', async () => {
    const [answered] = await listQuestions('caller=widget')
    expect(answered).toMatchObject({
      question: answerable,
      verdict: 'supported',
      feedback: 'helpful',
      caller: 'widget',
      currentPath: '/guides/printers',
      triedPaths: expect.arrayContaining(['/guides/printers']) as string[],
    })
    expect(answered?.keyId).toMatch(/^key_/)
    expect((await listQuestions('search=my%20ADDRESS'))[0]?.question).not.toContain('jane.doe')
    expect((await listQuestions('page=/guides/printers&feedback=helpful')).length).toBe(1)
    expect((await listQuestions('verdict=unanswered')).map(({ question }) => question)).toContain(cake)
    expect(await listQuestions(`to=${new Date(Date.now() - 3_600_000).toISOString()}`)).toEqual([])
  })

  it('refuse a period that is upside down or too long, and hours of a year', async () => {
    const paths = [
      '/insights/summary?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z',
      '/insights/summary?from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z',
      '/insights/summary?bucket=hour&from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
      '/insights/questions?page=install',
      '/insights/export?format=xml',
    ]

    for (const path of paths) expect(await get(path)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  it('are grouped by what they are about', async () => {
    const topics = topicListSchema.parse((await get('/insights/topics')).body)

    expect(topics.questions).toBe(4)
    expect(topics.items.find(({ terms }) => terms.includes('cake'))).toMatchObject({ questions: 2 })
  })

  it('are exported as a file in which no cell is a formula', async () => {
    const csv = await (await docent.get('/admin/v1/insights/export', asAdmin)).text()
    const json = await docent.get('/admin/v1/insights/export?format=json&caller=widget', asAdmin)

    expect(csv.split('\r\n')[0]).toMatch(/^askedAt,siteId,.*question,answer/)
    expect(csv).toContain(`"'${formula}"`)
    expect(csv).not.toMatch(/(?:^|,)"?=/m)
    expect(json.headers.get('content-disposition')).toContain('questions.json')
    expect(askedQuestionListSchema.parse(await json.json()).items).toHaveLength(1)
  })

  it('are exported one a line, exactly those that the filter selects', async () => {
    const query = 'caller=api&search=cake'

    const response = await docent.get(`/admin/v1/insights/export?format=jsonl&${query}`, asAdmin)
    const none = await docent.get('/admin/v1/insights/export?format=jsonl&language=xx', asAdmin)

    const lines = (await response.text()).split('\n')
    expect(response.headers.get('content-type')).toBe('application/jsonl')
    expect(lines.pop()).toBe('')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(await listQuestions(query))
    expect(lines.length).toBeGreaterThan(0)
    expect(await none.text()).toBe('')
  })

  it('belong to their organization', async () => {
    expect(insightsSummarySchema.parse((await get('/insights/summary', asRival)).body).total.questions).toBe(0)
    expect((await get('/insights/summary?siteId=docs', asRival)).status).toBe(404)
    expect((await get('/insights/questions', asRival)).body).toEqual({ items: [], nextCursor: null })
    expect((await get('/insights/gaps?siteId=docs', asRival)).status).toBe(404)
    expect(await (await docent.get('/admin/v1/insights/export?format=json', asRival)).json()).toEqual({
      items: [],
      nextCursor: null,
    })
  })
})

describe('conversations', () => {
  it('are found by verdict, feedback and text, and hold what was asked and said', async () => {
    const find = async (query: string) =>
      threadListSchema.parse((await get(`/sites/docs/threads?${query}`)).body).items.map(({ id }) => id)

    const [helpful = ''] = await find('feedback=helpful')
    const transcript = transcriptSchema.parse((await get(`/sites/docs/threads/${helpful}`)).body)

    expect(transcript.messages.map(({ feedback, asked }) => [feedback, asked?.caller])).toEqual([
      [null, undefined],
      ['helpful', 'widget'],
    ])
    expect(await find('verdict=supported&search=e-42')).toContain(helpful)
    expect(await find('search=no%20such%20words')).toEqual([])
    expect(await find('feedback=unhelpful')).toEqual([])
  })
})

describe('gaps', () => {
  it('group what stayed unanswered, keep their id, and change by hand', async () => {
    const [gap] = await listGaps()
    const again = await listGaps()
    expect(await listGaps('')).toEqual(again)
    expect(await listGaps('', asRival)).toEqual([])
    const changed = await send('PATCH', `/insights/gaps/${gap?.id}`, { state: 'fixed' })

    expect(gap).toMatchObject({ state: 'open', jobId: null, count: 2, unanswered: 2 })
    expect(gap?.questions.map(({ question }) => question)).toEqual(expect.arrayContaining([cake, formula]))
    expect(gap?.pagesTried.length).toBeGreaterThan(0)
    expect(again[0]).toEqual(gap)
    expect(gapSchema.parse(await changed.json())).toMatchObject({ id: gap?.id, state: 'fixed' })
    await send('PATCH', `/insights/gaps/${gap?.id}`, { state: 'open' })
  })

  it('are open again when the same is asked after they were fixed', async () => {
    const [gap] = await listGaps()
    await send('PATCH', `/insights/gaps/${gap?.id}`, { state: 'fixed' })
    await ask(cake)

    const [after] = await listGaps()

    expect(after).toMatchObject({ id: gap?.id, state: 'open', count: 3 })
  })

  it('become a job whose prompt quotes the questions, and are linked to it', async () => {
    const [gap] = await listGaps()
    const draft = jobDraftSchema.parse((await get(`/insights/gaps/${gap?.id}/job-draft`)).body)
    const made = await send('POST', `/insights/gaps/${gap?.id}/job`, {})

    expect(draft).toMatchObject({ site: 'docs', projectId: 'default' })
    expect(draft.prompt).toContain(`\n> ${cake}`)
    expect(made.status).toBe(201)
    const linked = gapSchema.parse(await made.json())
    expect(linked).toMatchObject({ id: gap?.id, state: 'drafted', jobId: expect.stringMatching(/^job_/) as string })
    // The offline model follows literal instructions only, and says so.
    expect((await finishJob(docent, linked.jobId ?? '')).failure?.code).toBe('model_required')
  })

  it('refuse a job that is not theirs', async () => {
    const [gap] = await listGaps()

    const response = await send('PATCH', `/insights/gaps/${gap?.id}`, { jobId: 'job_unknown' })

    expect(response.status).toBe(400)
  })

  it('are asked again without counting as readers, and store what came of it', async () => {
    const [gap] = await listGaps()
    const before = (await listQuestions()).length

    const retried = gapSchema.parse(await (await send('POST', `/insights/gaps/${gap?.id}/retry`)).json())

    expect(retried.retried.map(({ question }) => question)).toEqual(expect.arrayContaining([cake, formula]))
    expect(retried.retried[0]).toMatchObject({ before: { verdict: 'unanswered' }, after: { verdict: 'unanswered' } })
    expect(retried.state).toBe('drafted')
    expect((await listQuestions()).length).toBe(before)
  })

  it('are asked again by the worker once the pull request of their job was merged and indexed', async () => {
    const text = 'What does the flumox lever of the kiosk do?'
    await ask(text)
    await ask(zorblat)
    await send('PATCH', '/sites/docs', { settings: { gapJobReaders: 1 } })
    const gap = (await listGaps()).find(({ questions }) => questions.some(({ question }) => question === text))
    const page = 'The flumox lever of the kiosk turns the sign on and off.'
    const prompt = `Add a page guides/flumox titled "Flumox lever" with this content:\n\`\`\`md\n${page}\n\`\`\``
    const made = gapSchema.parse(await (await send('POST', `/insights/gaps/${gap?.id}/job`, { prompt })).json())
    const job = await finishJob(docent, made.jobId ?? '')
    const { items } = (await get('/pull-requests?limit=200')).body as { items: { id: string; url: string }[] }
    await send('POST', `/pull-requests/${items.find(({ url }) => url === job.prLink)?.id}/merge`, {})

    let after = gapSchema.parse((await get(`/insights/gaps/${gap?.id}`)).body)
    while (after.retried.length === 0) {
      await wait(100)
      after = gapSchema.parse((await get(`/insights/gaps/${gap?.id}`)).body)
    }

    expect(after).toMatchObject({
      state: 'fixed',
      commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      failure: null,
      retried: [{ question: text, before: { verdict: 'unanswered' }, after: { verdict: 'supported' } }],
    })
  }, 60_000)

  it('become tests in pull requests, which are asked once merged', async () => {
    const expected = { version: null, pages: [], facts: [], without: [], isRefusal: false, answer: null }
    const flumox = { ...expected, question: 'What does the flumox lever do?', facts: [['on and off']] }
    const owned = { ...expected, question: 'Who waters the kiosk plants?', facts: [['Ada']], answer: 'Ada does.' }
    const refused = { ...expected, question: 'What is the salary of the kiosk team?', isRefusal: true }
    const change = async (test: object) => {
      const response = await send('POST', '/sites/docs/suite/changes', { kind: 'add', test })
      expect(response.status).toBe(200)
      return suiteChangedSchema.parse(await response.json()).pullRequest.url
    }

    const urls = [await change(flumox), await change(refused), await change(owned)]
    const { items } = (await get('/pull-requests?limit=200')).body as { items: { id: string; url: string }[] }
    await send('POST', `/pull-requests/${items.find(({ url }) => url === urls[0])?.id}/merge`, {})
    const readSuite = async () => suiteSchema.parse((await get('/sites/docs/suite')).body)
    while ((await readSuite()).runs.length === 0) await wait(50)

    const suite = await readSuite()
    expect(urls[1]).toBe(urls[0])
    expect(suite.tests).toEqual([flumox, refused, owned])
    expect(suite.runs).toMatchObject([{ passed: 2, total: 3 }])
    expect(suite.results.map(({ question, failures }) => [question, failures])).toEqual([
      [flumox.question, []],
      [refused.question, []],
      [owned.question, [expect.objectContaining({ expectation: 'answered' })]],
    ])
    const messages = [{ role: 'user', parts: [{ type: 'text', text: owned.question }] }]
    const answer = await docent.post('/discovery/v2/assistant/docs/message', { fp: 'x', messages })
    expect(await answer.text()).toMatch(
      /The owner of this documentation answers.*Ada does\..*"verdict":"(?:unanswered|nearest-page|partial)"/s,
    )
    expect((await send('POST', '/sites/docs/suite/changes', { kind: 'add', test: flumox })).status).toBe(409)
    expect((await send('POST', '/sites/docs/suite/changes', { kind: 'add', test: flumox }, asRival)).status).toBe(404)
  }, 30_000)

  it('are put back with the reason when their job has failed', async () => {
    const gap = (await listGaps()).find(({ questions }) => questions.some(({ question }) => question === cake))

    expect(gap).toMatchObject({ state: 'open', failure: expect.stringMatching(/^Its job failed: /) as string })
  })

  it('get a draft job by the rule of their site, unless they had one before', async () => {
    const { durable } = docent.service.store
    const findBy = async (text: string) =>
      (await listGaps()).find(({ questions }) => questions.some(({ question }) => question === text))
    while ((await findBy(zorblat))?.jobId === null) await wait(50)

    const [gap, failed] = [await findBy(zorblat), await findBy(cake)]
    const jobs = await durable.selectFrom('agentJobs').selectAll().execute()
    const ruled = await durable.selectFrom('gaps').select('id').where('ruledAt', 'is not', null).execute()
    expect(jobs.find(({ id }) => id === gap?.jobId)).toMatchObject({
      isDraft: true,
      prompt: expect.stringContaining(zorblat) as string,
    })
    expect(ruled).toContainEqual({ id: gap?.id })
    expect(ruled).not.toContainEqual({ id: failed?.id })
  })

  it('are nothing to another organization', async () => {
    const [gap] = await listGaps()
    const path = `/insights/gaps/${gap?.id}`

    const refused = [
      await send('GET', path, undefined, asRival),
      await send('PATCH', path, { state: 'fixed' }, asRival),
      await send('POST', `${path}/job`, {}, asRival),
      await send('POST', `${path}/retry`, undefined, asRival),
    ]

    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })
})

it('are gone with the conversations that a retention removes', async () => {
  const { store } = docent.service
  const clock = { now: () => Date.now() + 40 * 86_400_000 }

  await new RetentionWorker({ store, clock, log: silentLog, retentionDays: 30, auditRetentionDays: 0 }).removeOld()

  expect(await listQuestions()).toEqual([])
  expect(await store.durable.selectFrom('gaps').selectAll().execute()).toEqual([])
})
