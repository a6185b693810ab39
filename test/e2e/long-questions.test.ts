import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { askDocent, readTranscript, sendAsAdmin } from '../support/ask.ts'
import { createScriptedModel } from '../support/scripted-model.ts'
import { adminKey, type Docent, startDocent } from '../support/start-docent.ts'

let docent: Docent
afterEach(() => docent.remove())

const notice =
  'Your question has 60,000 characters, which is too long to read in full: only its first 12,000 and last 4,000 characters were read.\n\n'
const words = (word: string, chars: number) => `${word} `.repeat(chars).slice(0, chars)
const long = `${words('begin', 12_000)}${words('middle', 44_000)}${words('finish', 3_999)}?`
const messageV1 = '/discovery/v1/assistant/docs/message'
const messageV2 = '/discovery/v2/assistant/docs/message'
const answer = 'Thermal paper of 80 mm.'

const startScripted = async () => {
  const model = createScriptedModel([[{ type: 'text', text: answer }]])
  docent = await startDocent({ model })
  return model
}

/** Of the pages of the database, those in its log included. */
function countBytes({ folder }: Docent): number {
  const database = new DatabaseSync(join(folder, 'docent.db'), { readOnly: true })
  try {
    const query = 'select page_count * page_size as bytes from pragma_page_count, pragma_page_size'
    return Number(database.prepare(query).get()?.['bytes'])
  } finally {
    database.close()
  }
}

describe('a question that is too long to read in full', () => {
  it('reaches the model and the database once, without its middle, and the answer says so first', async () => {
    const model = await startScripted()

    const asked = await askDocent(docent, long)

    expect(asked).toMatchObject({ status: 200, error: null, text: notice + answer })
    const prompt = JSON.stringify(model.calls[0]?.prompt)
    expect(prompt).not.toContain('middle')
    // Twelve thousand characters of the question, and the beginning that the made search shows.
    expect(prompt.match(/begin/g)).toHaveLength(2_000 + 83)
    expect(prompt.match(/finish/g)).toHaveLength(571)
    const [question, given] = await readTranscript(docent, asked.threadId)
    expect(question?.text).toBe(`${long.slice(0, 12_000)}\n\n[…]\n\n${long.slice(-4_000)}`)
    expect(given?.text).toBe(notice + answer)
  })

  it('is answered so in version 1, by the offline model, and by the playground', async () => {
    docent = await startDocent()
    const how = `How do I pair a receipt printer? ${long}`.slice(0, 60_000)
    const messages = [{ role: 'user', content: how, parts: [{ type: 'text', text: how }] }]

    const v1 = await (await docent.post(messageV1, { fp: 'a', messages })).text()
    const trial = await docent.post(
      '/admin/v1/sites/docs/playground',
      { messages },
      { authorization: `Bearer ${adminKey}` },
    )

    const texts = v1.split('\n').flatMap((line) => (line.startsWith('0:') ? [JSON.parse(line.slice(2)) as string] : []))
    expect(texts[0]).toBe(notice)
    expect(texts.length).toBeGreaterThan(1)
    expect(await trial.text()).toContain(JSON.stringify(notice))
  })

  it('is not part of what is judged', async () => {
    const model = createScriptedModel([[{ type: 'text', text: 'Nothing is said of that.' }]])
    docent = await startDocent({ model })

    const [short, cut] = [await askDocent(docent, 'Which paper?'), await askDocent(docent, long)]

    expect(cut.metadata['verdictReasons']).toEqual(short.metadata['verdictReasons'])
  })

  it('is cut where the owner says', async () => {
    docent = await startDocent({ env: { DOCENT_QUESTION_CHARS: '1000' } })

    expect((await askDocent(docent, words('printer', 1_001))).text).toMatch(/^Your question has 1,001 characters/)
    expect((await askDocent(docent, words('printer', 999))).text).not.toContain('Your question has')
  })

  it('is refused above 100,000 characters, in each version and in a small or a large body', async () => {
    docent = await startDocent()
    const text = 'x'.repeat(100_001)
    const messages = [{ role: 'user', parts: [{ type: 'text', text }] }]
    const paths = [messageV1, messageV2]

    for (const [index, body] of [
      { fp: 'a', messages },
      { fp: 'a', messages, extra: 'x'.repeat(300_000) },
    ].entries()) {
      const response = await docent.post(paths[index] ?? messageV2, body)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        code: 'question_too_long',
        error: expect.stringContaining('100,000'),
      })
    }
    const trial = await sendAsAdmin(docent, 'POST', '/admin/v1/sites/docs/playground', { messages })
    expect(trial).toMatchObject({ status: 400, body: { code: 'question_too_long' } })
  })
})

describe('what is stored of a request', () => {
  it('is bounded, whatever the request holds', async () => {
    docent = await startDocent()
    const filler = 'x'.repeat(700_000)
    const history = ['Before?', filler, 'Then?', filler]
    const context = [{ type: 'code', value: filler, path: filler }]
    await askDocent(docent, 'Which paper do the printers need?')
    const before = countBytes(docent)

    for (let count = 0; count < 20; count++) {
      const body = { id: `chat-${count}`, context, retrievalPageSize: 50, extra: filler }
      expect((await askDocent(docent, `${count} ${long}`, { history, body })).status).toBe(200)
    }

    expect((countBytes(docent) - before) / 20).toBeLessThan(64 * 1024)
  })
})

describe('bodies of other paths', () => {
  it.each([
    ['/discovery/v1/search/docs', { query: 'printer' }],
    ['/discovery/v1/page/docs', { path: '/guides/printers' }],
    ['/discovery/v2/assistant/docs/feedback', { messageId: 'm', helpful: true }],
    ['/sites/docs/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    ['/auth/sign-in', { email: 'a@b.example', password: 'x' }],
  ])('%s take 64 KiB and nothing that nests deep', async (path, body) => {
    docent = await startDocent()

    const large = await docent.post(path, { ...body, extra: 'x'.repeat(65 * 1024) })
    const deep = await docent.post(path, `{"extra":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)

    expect([large.status, deep.status]).toEqual([413, 400])
    expect(await deep.json()).toMatchObject({ code: 'invalid_request', error: expect.stringContaining('nests deeper') })
  })

  it('take more where they need it', async () => {
    docent = await startDocent()
    const prompt = '漢'.repeat(31_000)

    const automation = { site: 'docs', name: 'a', prompt, trigger: { type: 'manual' } }
    expect((await sendAsAdmin(docent, 'POST', '/admin/v1/automations', automation)).status).not.toBe(413)
    const context = Array.from({ length: 20 }, () => ({ type: 'code', value: 'x'.repeat(20_000) }))
    expect((await sendAsAdmin(docent, 'POST', '/v2/agent/default/job', { prompt, context })).status).toBe(201)
    const large = { name: 'a', extra: 'x'.repeat(65 * 1024) }
    expect((await sendAsAdmin(docent, 'POST', '/admin/v1/webhooks', large)).status).toBe(413)
  })
})

it('a client whose large body is refused gets the reply, and its connection goes on', async () => {
  docent = await startDocent()

  for (let count = 0; count < 3; count++) {
    const response = await docent.post(messageV2, '['.repeat(4 * 1024 * 1024 - 1))
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, 'invalid_request'])
  }
})
