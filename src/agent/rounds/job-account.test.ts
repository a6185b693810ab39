import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createScriptedModel, finishPart, type ScriptedAction } from '../../../test/support/scripted-model.ts'
import { billModel } from '../../models/calls/billed-model.ts'
import { readAll } from '../../../test/models/chat-model.conformance.ts'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { silentLog } from '../../telemetry/log.ts'
import { JobAccount } from './job-account.ts'

let store: Store
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-job-account-'))
  store = await openStore({ folder })
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const budgets = {
  steps: 100,
  tokens: 40_000,
  activeMs: 60_000,
  roundUsd: 1,
  projectDayUsd: 1_000,
  projectDayTokens: 10_000_000,
  waitsForModel: false,
}
const createAccount = (used = { tokens: 0, costUsd: 0 }) =>
  new JobAccount({ store, clock: { now: () => 0 }, budgets }, 'project', used)
const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'x '.repeat(2_000) }] }]
const call = { prompt, maxOutputTokens: 1_000 }

function bill(steps: readonly ScriptedAction[][], isPriced: boolean) {
  const scripted = createScriptedModel(steps)
  const prices = isPriced ? { 'test/': { input: 10, output: 100 } } : {}
  const account = createAccount()
  const model = billModel({ log: silentLog, prices }, scripted).billTo(account)
  return { account, calls: () => scripted.calls.length, ask: () => readAll(model, call) }
}

/** A call that reads so many tokens, most of them from the cache. */
function finishWith(input: number, cacheRead = 0): ScriptedAction {
  const inputTokens = { total: input, noCache: input - cacheRead, cacheRead, cacheWrite: 0 }
  return { type: 'part', part: { ...finishPart('stop'), usage: { ...finishPart('stop').usage, inputTokens } } }
}

it.each([
  ['of money', true, 1],
  ['of tokens, where no price is known', false, 40_000],
])('never makes a call that could exceed the budget %s', async (_, isPriced, budget) => {
  const { ask, calls, account } = bill([[finishWith(3_000)]], isPriced)

  let refusal: unknown = null
  while (refusal === null)
    refusal = await ask().then(
      () => null,
      (error: unknown) => error,
    )

  const spent = isPriced ? calls() * ((3_000 * 10 + 5 * 100) / 1_000_000) : calls() * 3_005
  expect(refusal).toMatchObject({ fault: 'ceiling' })
  expect(spent).toBeLessThanOrEqual(budget)
  expect(spent).toBeGreaterThan(budget * 0.7)
  expect(account.refusal.message).toContain('The next model call could exceed')
})

it('counts input from the cache a tenth where no price is known', async () => {
  const { ask, account } = bill([[finishWith(3_000, 3_000)]], false)

  await ask()

  expect(account.readBounds().tokens).toBe(40_000 - 300 - 5)
})

it('counts of a call that broke off what it used, not all that was reserved for it', async () => {
  const { ask, account } = bill(
    [
      [
        { type: 'text', text: 'One' },
        { type: 'cut', error: new Error('gone') },
      ],
    ],
    true,
  )

  await ask().catch(() => undefined)

  const left = account.readBounds().usd
  expect(left).toBeLessThan(1)
  // The output that was reserved alone costs ten cents.
  expect(left).toBeGreaterThan(0.95)
})
