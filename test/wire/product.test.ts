import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTranscript, sendAsAdmin } from '../support/ask.ts'
import { createScriptedModel } from '../support/scripted-model.ts'
import { assistantKey, type Docent, startDocent } from '../support/start-docent.ts'
import { keyCreatedSchema } from '../../src/contract/admin.ts'
import { v4Lineup, v5Lineup, v5Names } from './client-lineup.ts'
import { createV5Client } from './drive-v5.ts'
import { waitUntil, type WireClientOptions } from './wire-client.ts'
import type { WireServer } from './wire-server.ts'

// The whole product, its offline model and its index, as each release of the AI SDK sees it.

let docent: Docent
let hanging: Docent
beforeAll(async () => {
  docent = await startDocent()
  const never = new Promise(() => {})
  hanging = await startDocent({
    model: createScriptedModel([
      [
        { type: 'text', text: 'partial ' },
        { type: 'wait', until: never },
      ],
    ]),
  })
})
afterAll(async () => {
  await docent.remove()
  await hanging.remove()
})

function serverOf({ url }: Docent, key = assistantKey): WireServer {
  return {
    url: (version) => `${url}/discovery/${version}/assistant/docs/message`,
    headers: { authorization: `Bearer ${key}` },
    close: async () => {},
  }
}

const body: WireClientOptions['body'] = { fp: 'anonymous', retrievalPageSize: 3, filter: null, threadId: null }

describe.each([...v4Lineup, ...v5Lineup])('$name and the product', ({ create, threadPlaces }) => {
  it('show an answer with its source, and its thread in each place', async () => {
    const chat = await create({ server: serverOf(docent), body })

    const turn = await chat.ask('What does the error E-42 mean?')

    expect(turn).toMatchObject({ error: null, toolsToRun: [] })
    expect(turn.text).toContain('The code `E-42` means that the paper has run out.')
    const quote = 'The code `E-42` means that the paper has run out.'
    expect(turn.sources).toEqual([
      { url: expect.stringContaining('/guides/printers#error-e-42:~:text='), title: 'Printers: Error E-42' },
    ])
    expect(turn.citations[0]).toMatchObject({ number: '1', quote, source: { anchor: 'error-e-42' }, verdict: 'held' })
    expect(turn.toolOutputs[0]).toEqual(expect.arrayContaining([expect.objectContaining({ path: '/guides/printers' })]))
    const [threadId] = Object.values(turn.threadIds)
    expect(threadId).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(turn.threadIds).toEqual(Object.fromEntries(threadPlaces.map((place) => [place, threadId])))
  })

  it('show an answer with suggested pages', async () => {
    await sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs', { settings: { suggestions: true } })
    const chat = await create({ server: serverOf(docent), body })

    const turn = await chat.ask('How do I install Kiosk and connect a printer?')
    await sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs', { settings: { suggestions: false } })

    expect(turn).toMatchObject({ error: null, text: expect.not.stringContaining('suggestions') as unknown })
  })

  it('go on in the same thread', async () => {
    const chat = await create({ server: serverOf(docent), body })

    const first = await chat.ask('What does the error E-42 mean?')
    const second = await chat.ask('What is the limit of tickets per sale?')

    expect(second.error).toBeNull()
    expect(second.threadIds).toEqual(first.threadIds)
  })

  it('ask for another answer without making a second turn of it [client-regenerate]', async () => {
    const chat = await create({ server: serverOf(docent), body })

    const before = await chat.ask('What does the error E-42 mean?')
    await chat.ask('What is the limit of tickets per sale?')
    const again = await chat.askAgain()
    const after = await chat.ask('What does the error E-42 mean?')
    const stored = await readTranscript(docent, String(after.threadIds['header']))

    expect([again.error, after.error]).toEqual([null, null])
    expect(after.threadIds).toEqual(before.threadIds)
    expect(stored.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant'])
    expect(stored.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual([
      'What does the error E-42 mean?',
      'What is the limit of tickets per sale?',
      'What does the error E-42 mean?',
    ])
  })

  it('show the sentence of a refusal', async () => {
    const chat = await create({ server: serverOf(docent, `svc_dsc_${'x'.repeat(40)}`), body })

    const turn = await chat.ask('What is Kiosk?')

    expect(turn.error).toMatch(/This key is not known/)
    expect(turn.text).toBe('')
  })

  it('stop when the reader does', async () => {
    const chat = await create({ server: serverOf(hanging), body })

    const asking = chat.ask('What is Kiosk?')
    await waitUntil(() => chat.partialText().startsWith('partial '))
    await chat.stop()

    expect(await asking).toMatchObject({ error: null, text: 'partial ' })
  })
})

describe.each(v5Names)('%s with messages of its own', (release) => {
  const ask = async (declared: WireClientOptions['body'], key?: string) => {
    const server = serverOf(docent, key)
    const chat = await createV5Client(release, { server, body: { ...body, ...declared }, hasOwnMessages: true })
    return chat.ask('What does the error E-42 mean?')
  }

  it('shows an answer whole if its requests declare it [v2-sdk-declared]', async () => {
    const { error, text, threadIds } = await ask({ client: 'ai-sdk' })

    expect({ error, text }).toEqual({ error: null, text: expect.stringContaining('E-42') as unknown })
    expect(threadIds['onFinish']).toBe(threadIds['header'])
  })

  it('shows an answer whole if its key declares it [v2-sdk-declared]', async () => {
    const options = { kind: 'assistant', name: 'App', siteId: 'docs', answerOptions: ['ai-sdk'] }
    const { secret } = keyCreatedSchema.parse((await sendAsAdmin(docent, 'POST', '/admin/v1/keys', options)).body)

    expect(await ask({}, secret)).toMatchObject({ error: null, text: expect.stringContaining('E-42') as unknown })
  })

  it('is told from no other client otherwise, which only strict releases refuse [v2-finish-raw]', async () => {
    const { error } = await ask({})

    expect(error === null).toBe(!release.endsWith('-oldest'))
  })
})
