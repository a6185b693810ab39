import { afterEach, describe, expect, it } from 'vitest'
import { readSpending } from '../../src/store/spending.ts'
import { askDocent, readTranscript, sendAsAdmin } from '../support/ask.ts'
import { createScriptedModel, paidFinish, type ScriptedAction } from '../support/scripted-model.ts'
import { type Docent, startDocent, type StartDocentOptions } from '../support/start-docent.ts'

const dayMs = 86_400_000
const noon = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2
const question = 'What does the error E-42 mean?'
const cited: ScriptedAction = { type: 'text', text: 'See [Printers](/guides/printers).' }

let docent: Docent
afterEach(() => docent.remove())

async function start(steps: readonly (readonly ScriptedAction[])[], options: StartDocentOptions = {}) {
  const clock = { nowMs: noon, now: () => clock.nowMs }
  const model = createScriptedModel(steps)
  docent = await startDocent({ model, clock, ...options })
  const { id } = await docent.service.store.durable.selectFrom('sites').select('id').executeTakeFirstOrThrow()
  const spentMicroUsd = () =>
    readSpending(docent.service.store.durable, { siteId: id, windowStart: Math.floor(clock.nowMs / dayMs) * dayMs })
  return { clock, model, spentMicroUsd }
}

describe('the ceiling of a site for a day', () => {
  it('is kept in money, and the offline model answers beyond it, labelled, while the search goes on', async () => {
    const { model } = await start([[cited, paidFinish(0.4)]], { env: { DOCENT_SITE_COST_PER_DAY: '1' } })

    const answers = []
    for (let count = 0; count < 4; count++) answers.push(await askDocent(docent, question))
    const search = await docent.post('/discovery/v1/search/docs', { query: 'paper' })

    expect(answers.map(({ metadata }) => metadata['model'])).toEqual([
      'test/scripted',
      'test/scripted',
      'test/scripted',
      'docent/offline',
    ])
    expect(answers.at(-1)?.metadata).toMatchObject({ modelReason: 'daily-cost-reached', answered: true })
    expect(answers.at(-1)?.text).toContain('The code `E-42` means that the paper has run out.')
    expect(answers[0]?.metadata).not.toHaveProperty('modelReason')
    expect(model.calls).toHaveLength(3)
    expect(search.status).toBe(200)
    expect(await search.json()).not.toEqual([])
  })

  it('begins anew at midnight UTC', async () => {
    const { clock } = await start([[cited, paidFinish(0.4)]], { env: { DOCENT_SITE_COST_PER_DAY: '0.3' } })

    await askDocent(docent, question)
    const beyond = await askDocent(docent, question)
    clock.nowMs += dayMs
    const nextDay = await askDocent(docent, question)

    expect(beyond.metadata['model']).toBe('docent/offline')
    expect(nextDay.metadata['model']).toBe('test/scripted')
  })

  it('is passed by no more than the answers under way when many come at once', async () => {
    const { model, spentMicroUsd } = await start([[cited, paidFinish(0.01)]], {
      env: { DOCENT_SITE_COST_PER_DAY: '0.05' },
    })

    const answers = await Promise.all(Array.from({ length: 30 }, () => askDocent(docent, question)))

    expect(answers.every(({ error }) => error === null)).toBe(true)
    expect(model.calls).toHaveLength(5)
    expect(await spentMicroUsd()).toBe(50_000)
  })

  it('is the setting of the site where it has one, and 0 asks no model', async () => {
    const { model } = await start([[cited, paidFinish(0.4)]], { env: { DOCENT_SITE_COST_PER_DAY: '100' } })

    const changed = await sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs', { settings: { dailyCostUsdMax: 0 } })
    const answer = await askDocent(docent, question)

    expect(changed).toMatchObject({ status: 200, body: { settings: { dailyCostUsdMax: 0, suggestions: false } } })
    expect(answer.metadata['model']).toBe('docent/offline')
    expect(model.calls).toHaveLength(0)
  })

  it('counts what was put aside for an answer that broke off, because its provider may charge for it', async () => {
    const { spentMicroUsd } = await start(
      [
        [
          { type: 'text', text: 'partial' },
          { type: 'cut', error: new Error('cut') },
        ],
      ],
      {
        env: { DOCENT_SITE_COST_PER_DAY: '1' },
      },
    )

    const answer = await askDocent(docent, question)

    expect(answer.error).toMatch(/broke off/)
    expect(await spentMicroUsd()).toBe(10_000)
  })
})

describe('the bounds of one answer', () => {
  const call: ScriptedAction = { type: 'call', toolName: 'search', input: { query: 'paper' } }

  it('take the tools from a model that has spent too much, and let it answer', async () => {
    const { model } = await start([
      [call, paidFinish(0.3)],
      [call, paidFinish(0.3)],
      [cited, paidFinish(0.1)],
    ])

    const answer = await askDocent(docent, question)
    const [, stored] = await readTranscript(docent, answer.threadId)

    expect(answer).toMatchObject({ error: null, text: 'See [Printers](/guides/printers).' })
    expect(model.calls.map(({ toolChoice }) => toolChoice?.type)).toEqual(['auto', 'auto', 'none'])
    expect(stored?.costUsd).toBeCloseTo(0.7, 10)
  })

  it('take them from a model that has taken too long', async () => {
    const { clock, model } = await start([[call], [cited]])
    const { doStream } = model
    model.doStream = (options) => {
      clock.nowMs += 200_000
      return doStream(options)
    }

    const answer = await askDocent(docent, question)

    expect(answer.error).toBeNull()
    expect(model.calls.map(({ toolChoice }) => toolChoice?.type)).toEqual(['auto', 'none'])
  })
})

describe('a stored answer', () => {
  it('names the model that answered, its cost, and its verdict with reasons', async () => {
    await start([
      [
        { type: 'text', text: 'Set `paper_size` to 80. See [Printers](/guides/printers).' },
        paidFinish(0.002, 'test/fallback'),
      ],
    ])

    const { threadId } = await askDocent(docent, question)

    expect((await readTranscript(docent, threadId)).at(-1)).toMatchObject({
      model: 'test/fallback',
      costUsd: 0.002,
      verdict: 'unsupported',
      verdictReasons: expect.arrayContaining([expect.stringContaining('“paper_size”')]),
    })
  })

  it('has no cost where the price of the model is not known, and none is made up', async () => {
    await start([[cited]])

    const { threadId } = await askDocent(docent, question)

    expect((await readTranscript(docent, threadId)).at(-1)).toMatchObject({ model: 'test/scripted', costUsd: null })
  })
})
