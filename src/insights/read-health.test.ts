import { expect, it } from 'vitest'
import { writeMessages } from '../contract/message-texts.ts'
import { describeDisk, describeIndex, describeModel, describeUnused } from './read-health.ts'

const gibibyte = 1024 ** 3
const offline = 'docent/offline'

it('warns before the disk is full', () => {
  expect([50, 0.5, 0.05].map((free) => describeDisk(free * gibibyte, 100 * gibibyte).state)).toEqual([
    'ok',
    'warning',
    'failed',
  ])
  expect(describeDisk(0.05 * gibibyte, gibibyte).message).toMatch(/Free up space now\.$/)
})

it('rates a model by the outcome of its recent answers, and reports when another one answered', () => {
  const judge = (answers: number, failed: number, model = 'openai/a') =>
    describeModel('openai/a', offline, [{ model, answers, failed }])

  expect(judge(10, 0)).toMatchObject({
    state: 'ok',
    message: 'openai/a: 10 answers in the last hour, 0 failed.',
  })
  expect(judge(2, 2).state).toBe('ok')
  expect(judge(10, 3).state).toBe('warning')
  expect(judge(3, 3)).toMatchObject({ state: 'failed', message: expect.stringContaining('docent doctor') as string })
  expect(judge(5, 0, 'openai/b')).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('Other models that answered: openai/b.') as string,
  })
  expect(describeModel(offline, offline, [])).toMatchObject({
    state: 'ok',
    message: expect.stringContaining('DOCENT_MODEL') as string,
  })
})

it('distinguishes an outdated index from a missing one', () => {
  const generation = { number: 3, file: 'f', pageCount: 7, findings: 0, createdAt: 1 }
  const failed = { state: 'failed', step: 'reading', failure: 'Mend docs.json.' }
  const site = { siteId: 's', slug: 'docs', sourceKind: 'git', generation: null, run: null }

  expect(describeIndex(site).state).toBe('warning')
  expect(describeIndex({ ...site, run: failed })).toMatchObject({ state: 'failed', subject: 'docs' })
  expect(describeIndex({ ...site, generation, run: failed })).toMatchObject({
    state: 'warning',
    message: 'Serving generation 3: 7 pages. The latest sync failed. Mend docs.json.',
  })
  expect(describeIndex({ ...site, generation })).toMatchObject({ state: 'ok' })
})

it('says for which site an embedding model is of no use', () => {
  const measured = { queries: 80, words: 0.851, fused: 0.8 }

  const describe = (...given: Parameters<typeof describeUnused>) =>
    describeUnused(...given).map((each) => writeMessages([each]))

  expect(describe('docs', { weight: 0, measured })).toEqual([
    'The embedding model makes results of docs worse (85.1 → 80 of 100), so it is not used there: try another one.',
  ])
  expect(describe('docs', { weight: 0, measured: { ...measured, fused: 0.851 } })[0]).toContain(
    'no better (85.1 → 85.1',
  )
  expect(describeUnused('docs', { weight: 0.4, measured })).toEqual([])
  expect(describeUnused('docs', undefined)).toEqual([])
})
