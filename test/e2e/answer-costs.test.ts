import { afterEach, describe, expect, it } from 'vitest'
import { dayMs } from '../../src/base/durations.ts'
import { readSpending } from '../../src/store/counts/spending.ts'
import { askDocent, readTranscript, sendAsAdmin } from '../support/ask.ts'
import { noon } from '../support/noon.ts'
import { createScriptedModel, finishPart, paidFinish, type ScriptedAction } from '../support/scripted-model.ts'
import { adminKey, type Docent, startDocent, type StartDocentOptions } from '../support/start-docent.ts'

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

const noCount = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
/** The end of a call whose tokens the provider does not count. */
const uncounted: ScriptedAction = {
  type: 'part',
  part: {
    ...finishPart('stop'),
    usage: { inputTokens: noCount, outputTokens: { total: undefined, text: undefined, reasoning: undefined } },
  },
}

/** A call reserves its whole output: 8,000 tokens at the price of scripted models. */
const reservedUsd = 0.16

describe('the ceiling of a site for a day', () => {
  it('is kept in money, and the offline model answers beyond it, labelled, while the search goes on', async () => {
    const { model } = await start([[cited, paidFinish(0.1)]], { env: { DOCENT_SITE_COST_PER_DAY: '0.4' } })

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
    const { clock } = await start([[cited, paidFinish(0.1)]], { env: { DOCENT_SITE_COST_PER_DAY: '0.2' } })

    await askDocent(docent, question)
    await askDocent(docent, question)
    const beyond = await askDocent(docent, question)
    clock.nowMs += dayMs
    const nextDay = await askDocent(docent, question)

    expect(beyond.metadata['model']).toBe('docent/offline')
    expect(nextDay.metadata['model']).toBe('test/scripted')
  })

  it('is $5 where nobody has set one', async () => {
    const { model, spentMicroUsd } = await start([[cited, paidFinish(0.12)]])

    for (let count = 0; count < 50; count++) await askDocent(docent, question)

    expect(await spentMicroUsd()).toBe(4_920_000)
    expect(model.calls).toHaveLength(41)
  })

  it('is never passed when many ask at once', async () => {
    const { model, spentMicroUsd } = await start([[cited, paidFinish(0.16)]], {
      env: { DOCENT_SITE_COST_PER_DAY: '0.5' },
    })

    const answers = await Promise.all(Array.from({ length: 30 }, () => askDocent(docent, question)))

    expect(answers.every(({ error }) => error === null)).toBe(true)
    expect(model.calls).toHaveLength(3)
    expect(await spentMicroUsd()).toBe(480_000)
  })

  it('is the setting of the site where it has one: a number, 0 that asks no model, or unlimited', async () => {
    const { model, spentMicroUsd } = await start([[cited, paidFinish(0.1)]], {
      env: { DOCENT_SITE_COST_PER_DAY: '0.2' },
    })
    const set = (dailyCostUsdMax: unknown) =>
      sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs', { settings: { dailyCostUsdMax } })
    const ask = async () => (await askDocent(docent, question)).metadata['model']

    const toZero = await set(0)
    const atZero = await ask()
    await set('unlimited')
    const lifted = [await ask(), await ask(), await ask()]
    await set(null)
    const unset = [await ask(), await ask(), await ask()]

    expect(toZero).toMatchObject({ status: 200, body: { settings: { dailyCostUsdMax: 0, suggestions: false } } })
    expect(atZero).toBe('docent/offline')
    expect(lifted).toEqual(['test/scripted', 'test/scripted', 'test/scripted'])
    expect(unset).toEqual(['test/scripted', 'test/scripted', 'docent/offline'])
    expect(model.calls).toHaveLength(5)
    expect(await spentMicroUsd()).toBe(200_000)
    expect((await set('lots')).status).toBe(400)
  })

  it('that is low makes answers short, and lets the model give them', async () => {
    const { model } = await start([[cited, paidFinish(0.01)]], { env: { DOCENT_SITE_COST_PER_DAY: '0.04' } })

    const answer = await askDocent(docent, question)

    expect(answer.metadata['model']).toBe('test/scripted')
    expect(model.calls.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([1_000])
  })

  it('is lifted for the installation by the word unlimited', async () => {
    const { model } = await start([[cited, paidFinish(3)]], { env: { DOCENT_SITE_COST_PER_DAY: 'unlimited' } })

    for (let count = 0; count < 3; count++) await askDocent(docent, question)

    expect(model.calls).toHaveLength(3)
  })

  it('bounds a model without a known price by its tokens', async () => {
    const { model } = await start([[cited, uncounted]], {
      env: { DOCENT_MODEL_PRICES: 'other/=1:1', DOCENT_SITE_TOKENS_PER_DAY: '40000' },
    })

    const answers = await Promise.all(Array.from({ length: 20 }, () => askDocent(docent, question)))

    expect(model.calls.length).toBeGreaterThan(0)
    expect(model.calls.length).toBeLessThan(5)
    expect(answers.filter(({ metadata }) => metadata['modelReason'] === 'daily-cost-reached').length).toBe(
      20 - model.calls.length,
    )
  })

  it('counts what was reserved for an answer that broke off, because its provider may charge for it', async () => {
    const { spentMicroUsd } = await start(
      [
        [
          { type: 'text', text: 'partial' },
          { type: 'cut', error: new Error('cut') },
        ],
      ],
      { env: { DOCENT_SITE_COST_PER_DAY: '1' } },
    )

    const answer = await askDocent(docent, question)

    expect(answer.error).toMatch(/broke off/)
    expect(await spentMicroUsd()).toBe(reservedUsd * 1_000_000)
  })

  it('that is reached in the middle of an answer lets the offline model end it', async () => {
    const call: ScriptedAction = { type: 'call', toolName: 'search', input: { query: 'paper' } }
    const { model } = await start([[cited, paidFinish(0.1)], [call, paidFinish(0.155)], [cited]], {
      env: { DOCENT_SITE_COST_PER_DAY: '0.4' },
    })

    await askDocent(docent, question)
    const answer = await askDocent(docent, question)

    expect(model.calls).toHaveLength(2)
    expect(answer).toMatchObject({ error: null, metadata: { model: 'docent/offline', answered: true } })
  })

  it('holds for the playground and for the rewriting of follow-ups', async () => {
    const { model, spentMicroUsd } = await start([[cited, paidFinish(0.1)]], {
      env: { DOCENT_SITE_COST_PER_DAY: '0.2' },
    })
    const body = { messages: [{ role: 'user', parts: [{ type: 'text', text: question }] }] }
    const history = ['Which paper do the printers need?', 'Thermal paper of 80 mm.']

    const playground = '/admin/v1/sites/docs/playground'
    await (await docent.post(playground, body, { authorization: `Bearer ${adminKey}` })).text()
    // The call that rewrites reserves no more than 800 tokens, so that it fits.
    await askDocent(docent, 'And when it is out?', { history })
    await askDocent(docent, 'And when it is out?', { history })

    expect(model.calls).toHaveLength(2)
    expect(await spentMicroUsd()).toBe(200_000)
  })
})

describe('the bounds of one answer', () => {
  const call: ScriptedAction = { type: 'call', toolName: 'search', input: { query: 'paper' } }

  it('take the tools from a model that has spent half of what it may, and let it answer', async () => {
    const { model } = await start([
      [call, paidFinish(0.13)],
      [call, paidFinish(0.13)],
      [cited, paidFinish(0.1)],
    ])

    const answer = await askDocent(docent, question)
    const [, stored] = await readTranscript(docent, answer.threadId)

    expect(answer).toMatchObject({ error: null, text: `See [Printers](${docent.url}/sites/docs/guides/printers).` })
    expect(model.calls.map(({ toolChoice }) => toolChoice?.type)).toEqual(['auto', 'auto', 'none'])
    expect(stored?.costUsd).toBeCloseTo(0.36, 10)
  })

  it('leave the output of the last call its room, however much the calls before have written', async () => {
    const { model } = await start([
      [call, paidFinish(0.1)],
      [call, paidFinish(0.06)],
      [cited, paidFinish(0.01)],
    ])

    await askDocent(docent, question)

    expect(model.calls.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([8_000, 3_000, 8_000])
    expect(model.calls.map(({ toolChoice }) => toolChoice?.type)).toEqual(['auto', 'auto', 'none'])
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

  it('run 16 tool calls of a step, and tell the model of the others that they did not run', async () => {
    const many = Array.from({ length: 200 }, (_, index): ScriptedAction => {
      return { type: 'call', toolName: 'search', input: { query: `paper ${index}` }, callId: `c${index}` }
    })
    const { model } = await start([many, [cited]])

    const answer = await askDocent(docent, question)

    const results = model.calls[1]?.prompt.at(-1)
    const outputs = results?.role === 'tool' ? results.content.map((part) => JSON.stringify(part)) : []
    expect(answer.error).toBeNull()
    expect(outputs).toHaveLength(200)
    expect(outputs.filter((output) => output.includes('This call did not run: at most 16 calls'))).toHaveLength(184)
  })

  it('end an endless answer with a sentence and a usual end', async () => {
    let isCancelled = false
    const { model } = await start([[]])
    model.doStream = async () => ({
      stream: new ReadableStream({
        start: (controller) => controller.enqueue({ type: 'text-start', id: '0' }),
        pull: (controller) => controller.enqueue({ type: 'text-delta', id: '0', delta: 'endless '.repeat(50) }),
        cancel: () => void (isCancelled = true),
      }),
    })

    const answer = await askDocent(docent, question)

    expect(answer.error).toBeNull()
    expect(answer.text.length).toBeLessThan(60_000)
    expect(answer.text).toMatch(/endless \n\n\*This answer was cut off because it became too long\..*\*$/)
    expect(answer.frames.find(({ type }) => type === 'finish')).toMatchObject({ finishReason: 'length' })
    expect(isCancelled).toBe(true)
  })

  it('end an answer that a content filter cut off with a sentence, and say how it ended', async () => {
    await start([[cited, { type: 'part', part: finishPart('content-filter') }]])

    const answer = await askDocent(docent, question)

    expect(answer.text).toMatch(/content filter cut this answer off[^]*$/)
    expect(answer.metadata).toMatchObject({ finishReason: 'content-filter', model: 'test/scripted' })
  })

  it('show thinking that a model writes into its text as reasoning, not as the answer', async () => {
    await start([[{ type: 'text', text: '<think>The paper is out.</think>\n\nSee [Printers](/guides/printers).' }]])

    const answer = await askDocent(docent, question)

    expect(answer.text).toBe(`See [Printers](${docent.url}/sites/docs/guides/printers).`)
    const thinking = answer.frames.flatMap((frame) => (frame.type === 'reasoning-delta' ? [frame.delta] : []))
    expect(thinking.join('')).toBe('The paper is out.')
  })
})

describe('a stored answer', () => {
  it('names the model that answered, its cost, and its verdict with reasons', async () => {
    await start([
      [{ type: 'text', text: 'Set `paper_size` to 80. See [Printers](/guides/printers).' }, paidFinish(0.002)],
    ])

    const { threadId } = await askDocent(docent, question)

    expect((await readTranscript(docent, threadId)).at(-1)).toMatchObject({
      model: 'test/scripted',
      costUsd: 0.002,
      verdict: 'unsupported',
      verdictReasons: expect.arrayContaining([expect.stringContaining('“paper_size”')]),
    })
  })

  it('has no cost where the price of the model is not known, and none is made up', async () => {
    await start([[cited]], { env: { DOCENT_MODEL_PRICES: 'other/=1:1' } })

    const { threadId } = await askDocent(docent, question)

    expect((await readTranscript(docent, threadId)).at(-1)).toMatchObject({ model: 'test/scripted', costUsd: null })
  })
})
