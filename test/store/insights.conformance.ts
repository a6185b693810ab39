import { beforeEach, describe, expect, it } from 'vitest'
import type { FeedbackStatus } from '../../src/contract/analytics.ts'
import { insertAgentJob } from '../../src/store/agent/agent-jobs.ts'
import {
  type AskedQuestion,
  listAnswerFacts,
  listAskedQuestions,
  type QuestionFilter,
  tallyQuestions,
  tallySites,
  tallyVersions,
} from '../../src/store/answers/asked-questions.ts'
import { listAskingOrigins } from '../../src/store/answers/asking-origins.ts'
import { listFeedbackStates, saveFeedback } from '../../src/store/answers/feedback.ts'
import { listRatedAnswers } from '../../src/store/answers/rated-answers.ts'
import {
  countReaders,
  countRuledGaps,
  type Gap,
  getGap,
  insertGaps,
  listDraftedGaps,
  listEndedGaps,
  listGaps,
  restoreGap,
  startGapJob,
  touchGap,
  updateGap,
} from '../../src/store/answers/gaps.ts'
import { saveDiscrepancies } from '../../src/store/discrepancies/discrepancies.ts'
import {
  countOpenDiscrepancies,
  listEndedJobs,
  listWaitingPullRequests,
  listWaitingSites,
} from '../../src/store/facts/need-facts.ts'
import { listModelOutcomes, listSiteIndexStates } from '../../src/store/facts/health-facts.ts'
import { publishIndexGeneration } from '../../src/store/sites/index-generations.ts'
import { claimIndexRun, enqueueIndexRun, finishIndexRun } from '../../src/store/sites/index-runs.ts'
import { type AskedContext, insertMessages, type Message } from '../../src/store/answers/messages.ts'
import { getProject } from '../../src/store/accounts/projects.ts'
import { readQueueDepths } from '../../src/store/facts/queue-depths.ts'
import { addCounts } from '../../src/store/counts/counters.ts'
import { listCounts, readCounts } from '../../src/store/counts/read-counters.ts'
import { listRecentChanges } from '../../src/store/facts/recent-changes.ts'
import { deleteThread } from '../../src/store/answers/remove-threads.ts'
import { insertSite, type Site } from '../../src/store/sites/sites.ts'
import {
  emptyStore,
  freshId,
  sampleMessage,
  sampleSite,
  sampleThread,
  seedSite,
  type StoreHarness,
} from './store-samples.ts'
import type { Store } from '../../src/store/store.ts'
import { listThreads, saveThreads } from '../../src/store/answers/threads.ts'

export function declareInsightsTests(harness: StoreHarness): void {
  let store: Store
  let site: Site
  let organizationId: string

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    site = await seedSite(store)
    organizationId = (await getProject(store.durable, site.projectId))?.organizationId ?? ''
  })

  interface Asked extends Partial<Pick<Message, 'verdict' | 'costUsd' | 'sources' | 'model' | 'text'>> {
    at: number
    asked?: Partial<AskedContext>
    feedback?: boolean[]
    of?: Site
  }

  async function ask(text: string, { at, asked = {}, feedback = [], of = site, ...answered }: Asked) {
    const thread = sampleThread(of.id, { updatedAt: at })
    const question = sampleMessage(thread, { role: 'user', text, asked: null, createdAt: at })
    const context: AskedContext = {
      caller: 'api',
      origin: null,
      keyId: null,
      version: null,
      language: null,
      currentPath: null,
      triedPaths: [],
      ...asked,
    }
    const answer = sampleMessage(thread, {
      verdict: 'supported',
      costUsd: null,
      questionId: question.id,
      asked: context,
      createdAt: at + 1,
      ...answered,
    })
    await saveThreads(store.durable, [thread])
    await insertMessages(store.durable, [question, answer])
    for (const [index, isHelpful] of feedback.entries()) {
      const said = {
        id: freshId(),
        siteId: of.id,
        threadId: thread.id,
        messageId: answer.id,
        path: null,
        fp: `reader-${index}`,
      }
      await saveFeedback(store.durable, { ...said, isHelpful, reason: null, note: null, createdAt: at, updatedAt: at })
    }
    return { thread, question, answer }
  }

  const filter = (change: Partial<QuestionFilter> = {}): QuestionFilter => ({
    organizationId,
    from: 0,
    to: 10_000_000_000,
    ...change,
  })
  const list = async (change: Partial<QuestionFilter> = {}) =>
    (await listAskedQuestions(store.durable, filter(change), { limit: 100 })).items
  const textsOf = (questions: readonly AskedQuestion[]) => questions.map(({ question }) => question)

  it('selects feedback by the status of its gap, also by one that no gap has', async () => {
    await ask('How?', { at: 10, feedback: [true] })
    const count = async (...status: FeedbackStatus[]) =>
      (await listRatedAnswers(store.durable, { siteIds: [site.id], from: 0, to: 100, status }, { limit: 10 })).items
        .length

    expect([await count('pending'), await count('resolved'), await count('dismissed')]).toEqual([1, 0, 0])
  })

  it('know when the widget was last asked on which origin', async () => {
    const widget = { caller: 'widget', origin: 'https://a.example' }
    for (const at of [10, 40]) await ask('How?', { at, asked: widget })
    await ask('How?', { at: 30, asked: { caller: 'widget', origin: 'https://b.example' } })
    await ask('How?', { at: 50, asked: { caller: 'api', origin: 'https://c.example' } })
    await ask('How?', { at: 60, asked: { caller: 'widget', origin: null } })

    const all = await listAskingOrigins(store.durable, { siteId: site.id, since: 0 })
    const recent = await listAskingOrigins(store.durable, { siteId: site.id, since: 35 })

    expect(all).toEqual([
      { origin: 'https://a.example', askedAt: 41 },
      { origin: 'https://b.example', askedAt: 31 },
    ])
    expect(recent).toEqual([{ origin: 'https://a.example', askedAt: 41 }])
  })

  describe('questions with their answers', () => {
    it('are listed newest first in pages, with their context and feedback', async () => {
      const first = await ask('How?', { at: 10, asked: { caller: 'widget', triedPaths: ['/a'] }, feedback: [true] })
      await ask('Why?', { at: 20, feedback: [true, false] })
      await ask('When?', { at: 30 })

      const page = await listAskedQuestions(store.durable, filter(), { limit: 2 })
      const rest = await listAskedQuestions(store.durable, filter(), { limit: 2, cursor: page.nextCursor })

      expect(textsOf([...page.items, ...rest.items])).toEqual(['When?', 'Why?', 'How?'])
      expect([...page.items, ...rest.items].map(({ feedback }) => feedback)).toEqual(['none', 'unhelpful', 'helpful'])
      expect(rest.nextCursor).toBeNull()
      expect(rest.items[0]).toEqual({
        questionId: first.question.id,
        question: 'How?',
        answer: first.answer,
        askedAt: 10,
        feedback: 'helpful',
      })
    })

    it('are cut to the requested number of characters, and are otherwise the same', async () => {
      const { answer } = await ask('How😀 long?', { at: 10 })

      const charsMax = { question: 4, answer: 2 }
      const { items } = await listAskedQuestions(store.durable, filter(), { limit: 2, charsMax })

      expect(textsOf(items)).toEqual(['How😀'])
      expect(items[0]?.answer).toEqual({ ...answer, text: answer.text.slice(0, 2) })
    })

    it('of several sites form one list, in pages without omissions or repeats', async () => {
      const second = sampleSite(site.projectId)
      await insertSite(store.durable, second)
      for (const [at, of] of [site, second, second, site, second].entries()) await ask(`${at}`, { at: at * 10, of })

      const pages: string[][] = []
      let cursor: string | null = null
      do {
        const request = { limit: 2, cursor }
        const page: Awaited<ReturnType<typeof listAskedQuestions>> = await listAskedQuestions(
          store.durable,
          filter(),
          request,
        )
        pages.push(textsOf(page.items))
        cursor = page.nextCursor
      } while (cursor !== null)

      expect(pages).toEqual([['4', '3'], ['2', '1'], ['0']])
      expect(textsOf(await list({ siteId: second.id }))).toEqual(['4', '2', '1'])
    })

    it('are filtered by each part of the filter', async () => {
      await ask('Add 100% of_it', {
        at: 10,
        verdict: 'unanswered',
        asked: { caller: 'widget', version: 'v2' },
        sources: [{ url: 'https://docs.example.com/install#now', title: 'Install' }],
        feedback: [true],
      })
      await ask('add 100 of it', { at: 20, sources: [{ url: '/installer', title: 'x' }], feedback: [false] })

      expect(textsOf(await list({ verdicts: ['unanswered'] }))).toEqual(['Add 100% of_it'])
      expect(textsOf(await list({ caller: 'widget' }))).toEqual(['Add 100% of_it'])
      expect(textsOf(await list({ version: 'v2' }))).toEqual(['Add 100% of_it'])
      expect(textsOf(await list({ page: '/install' }))).toEqual(['Add 100% of_it'])
      expect(textsOf(await list({ search: '100% OF_' }))).toEqual(['Add 100% of_it'])
      expect(textsOf(await list({ search: 'add' }))).toHaveLength(2)
      expect(textsOf(await list({ feedback: 'unhelpful' }))).toEqual(['add 100 of it'])
      expect(textsOf(await list({ feedback: 'helpful' }))).toEqual(['Add 100% of_it'])
      expect(textsOf(await list({ feedback: 'none' }))).toEqual([])
      expect(textsOf(await list({ isLacking: true }))).toHaveLength(2)
      expect(textsOf(await list({ from: 15 }))).toEqual(['add 100 of it'])
      expect(textsOf(await list({ to: 15 }))).toEqual(['Add 100% of_it'])
    })

    it('are found by the words of the question or of its answer', async () => {
      await ask('Where is it?', { at: 10, text: 'Behind the 5% Lantern.' })
      await ask('What is a lantern?', { at: 20, text: 'A lamp.' })
      await ask('Who?', { at: 30, text: 'Nobody, by 50 lanterns.' })

      expect(textsOf(await list({ search: 'LANTERN' }))).toEqual(['Who?', 'What is a lantern?', 'Where is it?'])
      expect(textsOf(await list({ search: '5% l' }))).toEqual(['Where is it?'])
      expect(textsOf(await list({ search: 'lamp', to: 15 }))).toEqual([])
    })

    it('are told apart by who asks, with which key, and in which language', async () => {
      await ask('person', { at: 10, asked: { caller: 'widget', keyId: 'key_1', language: 'de' } })
      await ask('client', { at: 20, asked: { caller: 'mcp', keyId: 'key_2' } })
      await ask('missed', { at: 30, asked: { caller: 'agent' } })

      expect(textsOf(await list({ askedBy: 'people' }))).toEqual(['person'])
      expect(textsOf(await list({ askedBy: 'agents' }))).toEqual(['missed', 'client'])
      expect(textsOf(await list({ askedBy: 'people', caller: 'mcp' }))).toEqual([])
      expect(textsOf(await list({}))).toEqual(['client', 'person'])
      expect(textsOf(await list({ keyId: 'key_2' }))).toEqual(['client'])
      expect(textsOf(await list({ language: 'de' }))).toEqual(['person'])
    })

    it('reveal a lack where the answer was doubtful, or only named a page', async () => {
      for (const verdict of ['supported', 'partial', 'nearest-page', 'unanswered', 'unsupported', 'failed']) {
        await ask(verdict, { at: 10, verdict })
      }

      const lacking = textsOf(await list({ isLacking: true }))
      const rows = await tallyQuestions(store.durable, { filter: filter(), bucketMs: 1_000 })

      expect(lacking.toSorted()).toEqual(['nearest-page', 'partial', 'unanswered'])
      const counted = (of: 'answered' | 'unanswered') =>
        rows.flatMap((row) => (row[of] === 1 ? [String(row.verdict)] : [])).toSorted((a, b) => a.localeCompare(b))
      expect(counted('answered')).toEqual(['partial', 'supported', 'unsupported'])
      expect(counted('unanswered')).toEqual(['nearest-page', 'unanswered'])
    })

    it('belong to one organization and site, and exclude replaced answers', async () => {
      const other = await seedSite(store)
      await ask('Of another organization', { at: 10, of: other })
      const { answer } = await ask('Ours', { at: 20 })
      const again = { ...answer, id: freshId(), text: 'Better' }
      await insertMessages(store.durable, [again])
      await store.durable.updateTable('messages').set({ replacedBy: again.id }).where('id', '=', answer.id).execute()

      expect((await list()).map((each) => each.answer.text)).toEqual(['Better'])
      expect(await list({ siteId: other.id })).toEqual([])
    })

    it('are counted by bucket, verdict and caller, and by version', async () => {
      await ask('a', { at: 100, costUsd: 0.5, asked: { caller: 'widget', version: 'v1' }, feedback: [true] })
      await ask('b', { at: 150, costUsd: 0.25, asked: { caller: 'widget', version: 'v1' }, feedback: [false] })
      await ask('c', { at: 1_200, verdict: 'unanswered' })
      await ask('d', { at: 1_300, verdict: 'failed' })

      const rows = await tallyQuestions(store.durable, { filter: filter(), bucketMs: 1_000 })
      const versions = await tallyVersions(store.durable, filter(), 10)

      const tally = { questions: 1, answered: 0, unanswered: 0, broken: 0, helpful: 0, unhelpful: 0, costUsd: 0 }
      expect(rows.toSorted((one, next) => ((one.verdict ?? '') < (next.verdict ?? '') ? -1 : 1))).toEqual([
        { ...tally, startsAt: 1_000, verdict: 'failed', caller: 'api', broken: 1 },
        {
          ...tally,
          startsAt: 0,
          verdict: 'supported',
          caller: 'widget',
          questions: 2,
          answered: 2,
          helpful: 1,
          unhelpful: 1,
          costUsd: 0.75,
        },
        { ...tally, startsAt: 1_000, verdict: 'unanswered', caller: 'api', unanswered: 1 },
      ])
      expect(versions.map(({ version, questions }) => [version, questions])).toEqual(
        expect.arrayContaining([
          ['v1', 2],
          [null, 2],
        ]),
      )
      expect(await tallyVersions(store.durable, filter(), 1)).toHaveLength(1)
      expect(await tallySites(store.durable, filter({ from: 50 }), 1_000)).toEqual(
        expect.arrayContaining([
          { ...tally, siteId: site.id, part: 0, questions: 2, answered: 2, helpful: 1, unhelpful: 1, costUsd: 0.75 },
          { ...tally, siteId: site.id, part: 1, questions: 2, unanswered: 1, broken: 1 },
        ]),
      )
      const about = { siteId: site.id, createdAt: 1_301 }
      expect(await listAnswerFacts(store.durable, filter({ from: 1_250 }), 5)).toEqual([
        { ...about, sources: [{ url: '/install', title: 'Install' }], timings: { firstByteMs: 12.5, totalMs: 80 } },
      ])
    })
  })

  describe('conversations', () => {
    it('are filtered by verdict, feedback, time and text', async () => {
      const good = await ask('Where is the key?', { at: 10, feedback: [true] })
      const bad = await ask('Who?', { at: 20, verdict: 'unanswered', feedback: [false] })
      const idsOf = async (narrow: object) =>
        (await listThreads(store.durable, site.id, { limit: 9, ...narrow })).items.map(({ id }) => id)

      expect(await idsOf({ verdict: 'unanswered' })).toEqual([bad.thread.id])
      expect(await idsOf({ isHelpful: true })).toEqual([good.thread.id])
      expect(await idsOf({ isHelpful: false })).toEqual([bad.thread.id])
      expect(await idsOf({ from: 15 })).toEqual([bad.thread.id])
      expect(await idsOf({ to: 15 })).toEqual([good.thread.id])
      expect(await idsOf({ search: 'THE KEY' })).toEqual([good.thread.id])
      expect(await idsOf({})).toEqual([bad.thread.id, good.thread.id])
      expect(await listFeedbackStates(store.durable, [good.answer.id, bad.answer.id, 'none'])).toEqual(
        new Map([
          [good.answer.id, 'helpful'],
          [bad.answer.id, 'unhelpful'],
        ]),
      )
    })
  })

  const queueJob = () =>
    insertAgentJob(store.durable, {
      id: `job_${freshId()}`,
      projectId: site.projectId,
      siteId: site.id,
      repository: 'default/docs',
      ref: 'main',
      branch: 'docent/x',
      model: 'docent/offline',
      isDraft: false,
      prompt: 'Do it.',
      context: [],
      idempotencyKey: null,
      requestHash: 'h',
      createdAt: 50,
    })
  const noOutcome = { failure: null, commit: null, ruledAt: null }

  describe('gaps', () => {
    const newGap = (questionId: string, change: Partial<Gap> = {}): Gap => ({
      id: `gap_${freshId()}`,
      siteId: site.id,
      questionId,
      state: 'open',
      jobId: null,
      retried: [],
      ...noOutcome,
      createdAt: 1,
      updatedAt: 1,
      ...change,
    })

    it('are stored once per question, can change, and are deleted with their question', async () => {
      const { question, thread } = await ask('Why?', { at: 5 })
      const gap = newGap(question.id)
      await insertGaps(store.durable, [gap])
      await insertGaps(store.durable, [newGap(question.id)])

      const retried = [
        {
          question: 'Why?',
          before: { verdict: 'unanswered', answer: 'a' },
          after: { verdict: 'supported', answer: 'b' },
          askedAt: '2026-01-01T00:00:00.000Z',
        },
      ]
      expect(await updateGap(store.durable, gap.id, { state: 'drafted', jobId: 'job_1', retried, updatedAt: 9 })).toBe(
        true,
      )

      const stored = { ...gap, state: 'drafted', jobId: 'job_1', retried, updatedAt: 9, question: 'Why?', askedAt: 5 }
      expect(await listGaps(store.durable, site.id, { limit: 10, charsMax: 100 })).toEqual([stored])
      expect(await listGaps(store.durable, site.id, { limit: 10, charsMax: 2 })).toEqual([
        { ...stored, question: 'Wh' },
      ])
      expect(await getGap(store.durable, gap.id)).toEqual(stored)
      await deleteThread(store.durable, site.id, thread.id)
      expect(await getGap(store.durable, gap.id)).toBeNull()
      expect(await updateGap(store.durable, gap.id, { state: 'open', updatedAt: 10 })).toBe(false)
    })
  })

  describe('gaps that a job may have fixed', () => {
    it('are those whose site was indexed since the last check, and are claimed once', async () => {
      const at = 1_000
      const gapOf = async (text: string, change: Partial<Gap>) => {
        const { question } = await ask(text, { at: 5 })
        const base = { siteId: site.id, questionId: question.id, state: 'drafted' as const, retried: [] }
        const gap = {
          ...noOutcome,
          ...base,
          id: `gap_${freshId()}`,
          jobId: 'job_1',
          createdAt: 1,
          updatedAt: at - 1,
          ...change,
        }
        await insertGaps(store.durable, [gap])
        return gap
      }
      const wanted = await gapOf('a', {})
      await gapOf('b', { updatedAt: at })
      await gapOf('c', { state: 'fixed' })
      await gapOf('d', { jobId: null })
      expect(await listDraftedGaps(store.durable, ['drafted'], 10)).toEqual([])
      const run = await enqueueIndexRun(store.durable, { id: freshId(), siteId: site.id, cause: 'x', createdAt: 5 })
      await claimIndexRun(store.durable, { now: 60, leaseUntil: 90 })
      await publishIndexGeneration(
        store.durable,
        { id: run.id, attempt: 1 },
        {
          id: freshId(),
          siteId: site.id,
          revision: 'r',
          file: 'f',
          pageCount: 1,
          chunkCount: 1,
          findings: [],
          createdAt: at,
        },
      )

      const drafted = await listDraftedGaps(store.durable, ['drafted'], 10)

      expect(drafted).toEqual([
        {
          id: wanted.id,
          state: 'drafted',
          siteId: site.id,
          siteSlug: site.slug,
          organizationId,
          jobId: 'job_1',
          updatedAt: at - 1,
        },
      ])
      await touchGap(store.durable, { ...wanted, updatedAt: at - 2 }, at + 1)
      expect(await listDraftedGaps(store.durable, ['drafted'], 10)).toHaveLength(1)
      await touchGap(store.durable, wanted, at + 1)
      expect(await listDraftedGaps(store.durable, ['drafted'], 10)).toEqual([])
    })
  })

  describe('jobs of gaps', () => {
    it('are started once by a rule, counted by day, and put their gap back when they come to nothing', async () => {
      const db = store.durable
      const { question } = await ask('Why?', { at: 5 })
      const gap: Gap = {
        ...noOutcome,
        id: `gap_${freshId()}`,
        siteId: site.id,
        questionId: question.id,
        state: 'open',
        jobId: null,
        retried: [],
        createdAt: 1,
        updatedAt: 1,
      }
      await insertGaps(db, [gap])
      const { job } = await queueJob()

      expect(await startGapJob(db, gap.id, { jobId: job.id, ruledAt: 50, now: 50 })).toBe(true)
      expect(await startGapJob(db, gap.id, { jobId: 'job_2', ruledAt: 60, now: 60 })).toBe(false)
      expect([await countRuledGaps(db, site.id, 50), await countRuledGaps(db, site.id, 51)]).toEqual([1, 0])
      expect(await listEndedGaps(db, 10)).toEqual([])
      await db
        .updateTable('agentJobs')
        .set({ status: 'failed', failureMessage: 'No model.' })
        .where('id', '=', job.id)
        .execute()

      const [ended] = await listEndedGaps(db, 10)
      expect(ended).toEqual({
        id: gap.id,
        jobId: job.id,
        status: 'failed',
        failureMessage: 'No model.',
        pullRequest: null,
      })
      await restoreGap(db, { id: gap.id, jobId: 'job_other' }, { failure: 'No.', updatedAt: 70 })
      expect(await getGap(db, gap.id)).toMatchObject({ state: 'drafted' })
      await restoreGap(db, { id: gap.id, jobId: job.id }, { failure: 'No model.', updatedAt: 70 })
      expect(await getGap(db, gap.id)).toMatchObject({ state: 'open', failure: 'No model.', jobId: job.id })
    })

    it('depend on how many readers asked, of whom the anonymous count by thread', async () => {
      const threads = []
      for (const text of ['a', 'b', 'c']) threads.push((await ask(text, { at: 5 })).thread)
      const ids = threads.map(({ id }) => id)

      expect(await countReaders(store.durable, site.id, [])).toBe(0)
      const distinct = new Set(threads.map(({ id, fp }) => (fp === 'anonymous' ? id : fp))).size
      expect(await countReaders(store.durable, site.id, ids)).toBe(distinct)
      await store.durable.updateTable('threads').set({ fp: 'anonymous' }).where('id', 'in', ids).execute()
      expect(await countReaders(store.durable, site.id, ids)).toBe(3)
    })
  })

  describe('counts that limit nothing', () => {
    it('add up, and are read by window, subject and name', async () => {
      const count = { name: 'error:a', subject: 'x', windowStart: 100, count: 2 }
      await addCounts(store.relaxed, [count, { ...count, name: 'error:b', count: 1 }])
      await addCounts(store.relaxed, [count, { ...count, subject: 'y', windowStart: 200, count: 5 }])

      const request = { namePrefix: 'error:', subjects: ['x', 'y'], from: 0, to: 1_000, limit: 10 }
      expect(await listCounts(store.relaxed, request)).toEqual([
        { ...count, subject: 'y', windowStart: 200, count: 5 },
        { ...count, count: 4 },
        { ...count, name: 'error:b', count: 1 },
      ])
      expect(await listCounts(store.relaxed, { ...request, subjects: ['x'], to: 100 })).toEqual([])
      expect(await readCounts(store.relaxed, { name: 'error:a', windowStart: 100, subjects: ['x', 'z'] })).toEqual(
        new Map([['x', 4]]),
      )
    })
  })

  describe('recent changes and health', () => {
    it('are listed with a new version after each change, for one organization', async () => {
      const queued = await enqueueIndexRun(store.durable, { id: freshId(), siteId: site.id, cause: 'x', createdAt: 5 })
      const { job } = await queueJob()
      await ask('Hello?', { at: 40 })
      const look = () => listRecentChanges(store.durable, { organizationId, since: 30, limit: 10 })

      const before = await look()
      await claimIndexRun(store.durable, { now: 60, leaseUntil: 90 })
      await finishIndexRun(store.durable, { id: queued.id, attempt: 1, failure: null, finishedAt: 70 })
      const after = await look()

      expect(before.map(({ kind }) => kind)).toEqual(['run', 'job', 'thread'])
      expect(before[1]).toMatchObject({ id: job.id, siteId: site.id })
      expect(after[0]).toMatchObject({ kind: 'run', id: queued.id, hasSucceeded: true })
      expect(after[0]?.version).not.toBe(before[0]?.version)
      expect(after.slice(1)).toEqual(before.slice(1))
      expect(await listRecentChanges(store.durable, { organizationId: 'other', since: 0, limit: 10 })).toEqual([])
      const later = await listRecentChanges(store.durable, { organizationId, since: 71, limit: 10 })
      expect(later.map(({ kind }) => kind)).toEqual(['job'])
    })

    it('count waiting and running work', async () => {
      const nothing = { waiting: 0, running: 0, oldestAt: null }
      await enqueueIndexRun(store.durable, { id: freshId(), siteId: site.id, cause: 'x', createdAt: 5 })
      await queueJob()

      const depths = await readQueueDepths(store.durable, { organizationId, now: 100 })
      await claimIndexRun(store.durable, { now: 60, leaseUntil: 90 })

      expect(depths).toEqual([
        { name: 'syncs', waiting: 1, running: 0, oldestAt: 5 },
        { name: 'jobs', waiting: 1, running: 0, oldestAt: 50 },
        { name: 'comparisons', waiting: 0, running: 0, oldestAt: null },
        { name: 'drift-checks', waiting: 0, running: 0, oldestAt: null },
        { name: 'digests', waiting: 0, running: 0, oldestAt: null },
        { name: 'webhooks', ...nothing },
        { name: 'webhook-sends', ...nothing },
        { name: 'bot-events', ...nothing },
      ])
      expect((await readQueueDepths(store.durable, { organizationId, now: 100 }))[0]).toEqual({
        name: 'syncs',
        waiting: 0,
        running: 1,
        oldestAt: null,
      })
      const [state] = await listSiteIndexStates(store.durable, { organizationId, limit: 5 })
      expect(state).toMatchObject({ slug: site.slug, sourceKind: 'git', generation: null, run: { state: 'running' } })
    })

    it('list what waits for somebody, of one organization', async () => {
      const { job } = await queueJob()
      await store.durable
        .updateTable('agentJobs')
        .set({ status: 'failed', failureMessage: 'No.', updatedAt: 60 })
        .execute()
      const details = { title: 'Gone.', places: [], facts: [], advice: '', replacement: null }
      const found = ['a', 'b'].map((key) => ({ key, subject: key, page: 'a.md', isCertain: true, details }))
      await saveDiscrepancies(store.durable, { siteId: site.id, kind: 'drift', found, nextId: freshId, now: 7 })

      const look = async (of: string, since: number) => [
        await listEndedJobs(store.durable, { organizationId: of, since }),
        await countOpenDiscrepancies(store.durable, of),
        await listWaitingPullRequests(store.durable, of),
        await listWaitingSites(store.durable, of),
      ]

      expect(await look(organizationId, 60)).toEqual([
        [expect.objectContaining({ id: job.id, siteId: site.id, failure: 'No.', pullRequest: null })],
        [{ siteId: site.id, count: 2, since: 7 }],
        [],
        [],
      ])
      expect(await look('other', 0)).toEqual([[], [], [], []])
      expect((await look(organizationId, 61))[0]).toEqual([])
    })

    it("report the outcomes of each model's answers", async () => {
      await ask('a', { at: 10, model: 'openai/a' })
      await ask('b', { at: 20, model: 'openai/a', verdict: 'failed' })
      await ask('c', { at: 5, model: 'openai/b' })

      expect(await listModelOutcomes(store.durable, { organizationId, since: 10 })).toEqual([
        { model: 'openai/a', answers: 2, failed: 1 },
      ])
    })
  })
}
