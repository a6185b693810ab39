import { afterEach, describe, expect, it } from 'vitest'
import { dayMs } from '../../src/base/durations.ts'
import { readSpending } from '../../src/store/counts/spending.ts'
import { askDocent } from '../support/ask.ts'
import { type BillingProvider, type BillingProviderOptions, startBillingProvider } from '../support/billing-provider.ts'
import { noon } from '../support/noon.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

const ceilingUsd = 1
const prices = { usual: { input: 3, output: 15 }, dear: { input: 30, output: 60 } }
/** As long as a question may be, and one that a model is asked. */
const longest = 'why '.repeat(24_000)
const long = 'why '.repeat(4_000)
const history = ['Which paper do the printers need?', 'Thermal paper of 80 mm.']

let docent: Docent
let provider: BillingProvider
afterEach(async () => {
  await docent.remove()
  await provider.close()
})

async function start(env: Record<string, string> = {}, options: Partial<BillingProviderOptions> = {}) {
  provider = await startBillingProvider({ prices, ...options })
  docent = await startDocent({
    clock: { now: () => noon },
    env: {
      DOCENT_MODEL: 'openai-compatible/usual',
      DOCENT_MODEL_BASE_URL: provider.url,
      DOCENT_MODEL_PRICES: 'openai-compatible/usual=3:15,openai-compatible/dear=30:60',
      DOCENT_MODEL_RETRIES: '0',
      DOCENT_SITE_COST_PER_DAY: String(ceilingUsd),
      ...env,
    },
  })
}

async function flood(count: number, text: (index: number) => string, said: readonly string[] = []) {
  const asked = await Promise.all(
    Array.from({ length: count }, (_, index) => askDocent(docent, text(index), { history: said })),
  )
  return asked.map(({ status, error, metadata }) => ({ status, error, model: metadata['model'] }))
}

async function countedUsd(): Promise<number> {
  const { durable } = docent.service.store
  const { id } = await durable.selectFrom('sites').select('id').executeTakeFirstOrThrow()
  return (await readSpending(durable, { siteId: id, windowStart: noon - dayMs / 2 })) / 1_000_000
}

describe('what a provider charges a site in a day', () => {
  it.each([
    ['of the longest questions', (index: number) => `${index} ${longest}`],
    ['long questions', (index: number) => `${index} ${long}`],
    ['short questions', (index: number) => `${index} Why?`],
    ['questions in Chinese', (index: number) => `${index} ${'为什么打印机没有纸'.repeat(30)}`],
    ['questions of emoji', (index: number) => `${index} ${'🖨️📄'.repeat(1_000)}`],
  ])('stays within its ceiling when 60 %s come at once', async (_, text) => {
    await start()

    const answers = await flood(60, text)

    expect(answers.filter(({ status, error }) => status !== 200 || error !== null)).toEqual([])
    expect(provider.billedUsd()).toBeLessThanOrEqual(ceilingUsd)
    expect(await countedUsd()).toBeLessThanOrEqual(ceilingUsd)
    expect(await countedUsd()).toBeGreaterThanOrEqual(provider.billedUsd() - 1e-6)
    expect(answers.some(({ model }) => model === 'docent/offline')).toBe(true)
  })

  it('is not lost to caution: nearly all of the ceiling can be spent', async () => {
    await start({}, { outputShare: 0.05 })

    for (let round = 0; round < 60; round++) await flood(2, (index) => `${index} What does E-42 mean?`)

    expect(provider.billedUsd()).toBeLessThanOrEqual(ceilingUsd)
    expect(provider.billedUsd()).toBeGreaterThan(ceilingUsd * 0.75)
  })

  it('stays within it with follow-ups, whose questions are rewritten', async () => {
    await start()

    await flood(60, () => 'And when it is out?', history)

    expect(provider.requests.some(({ messages }) => JSON.stringify(messages).includes('Rewrite the reader'))).toBe(true)
    expect(provider.billedUsd()).toBeLessThanOrEqual(ceilingUsd)
  })

  it.each(['break-off', 'fail', 'no-usage'] as const)(
    'stays within it when calls that were charged end with: %s',
    async (reply) => {
      await start({ DOCENT_MODEL_RETRIES: '1' })
      provider.replyWith((_, index) => (index % 3 === 0 ? 'answer' : reply))

      await flood(40, (index) => `${index} ${long}`)

      expect(provider.requests.length).toBeGreaterThan(2)
      expect(provider.billedUsd()).toBeLessThanOrEqual(ceilingUsd)
    },
  )

  it('stays within it when a dearer model takes over', async () => {
    await start({ DOCENT_MODEL_FALLBACKS: 'openai-compatible/dear' })
    provider.replyWith((model) => (model === 'usual' ? 'fail' : 'answer'))

    const answers = await flood(40, (index) => `${index} What does E-42 mean?`)

    expect(new Set(provider.requests.map(({ model }) => model))).toEqual(new Set(['usual', 'dear']))
    expect(answers.some(({ model }) => model === 'openai-compatible/dear')).toBe(true)
    expect(provider.billedUsd()).toBeLessThanOrEqual(ceilingUsd)
  })

  it('passes it by no more than one call where the provider charges beyond the bound of an output', async () => {
    await start()
    provider.replyWith(() => 'overrun')

    for (let index = 0; index < 12; index++) await askDocent(docent, `${index} What does E-42 mean?`)
    const billed = provider.billedUsd()
    await flood(20, (index) => `${index} What does E-42 mean?`)

    expect(await countedUsd()).toBeGreaterThanOrEqual(billed - 1e-6)
    expect(provider.billedUsd()).toBe(billed)
    expect(billed).toBeLessThanOrEqual(ceilingUsd + 0.15)
  })
})
