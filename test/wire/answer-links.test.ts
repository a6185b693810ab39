import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askDocent, readTranscript, sendAsAdmin } from '../support/ask.ts'
import { createInstantModel } from '../support/instant-model.ts'
import { createScriptedModel } from '../support/scripted-model.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

const siteUrl = 'https://kiosk.example/manual'
const absolute = `See [Printers](${siteUrl}/guides/printers#paper).`
const relative = 'See [Printers](/manual/guides/printers#paper).'
const own = 'https://kiosk.example'
const question = 'What does the error E-42 mean?'

const startAtUrl = async (docent: Docent) => {
  await sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs', { url: siteUrl })
  return docent
}

describe('the links of an answer', () => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startAtUrl(
      await startDocent({ model: createInstantModel('See [Printers](/guides/printers#paper).', 3) }),
    )
  })
  afterAll(() => docent.remove())

  const ask = async (version: string, origin: string | null, links: unknown) => {
    const messages = [{ role: 'user', content: question, parts: [{ type: 'text', text: question }] }]
    const body = { fp: 'anonymous', messages, ...(links !== undefined && { links }) }
    const response = await docent.post(`/discovery/${version}/assistant/docs/message`, body, {
      ...(origin !== null && { origin }),
    })
    await response.text()
    const [, stored] = await readTranscript(docent, response.headers.get('x-thread-id'))
    return stored?.text
  }

  it.each([
    [null, undefined, absolute],
    [own, undefined, relative],
    [own, null, relative],
    ['https://app.example', undefined, absolute],
    ['null', undefined, absolute],
    ['https://app.example', 'relative', relative],
    [null, 'relative', relative],
    [own, 'absolute', absolute],
  ])('from Origin %s that asks for %s are %j [answer-links]', async (origin, links, expected) => {
    expect([await ask('v1', origin, links), await ask('v2', origin, links)]).toEqual([expected, expected])
  })

  it('are stored as they are sent, and a source has its full address [answer-links]', async () => {
    const { text, frames, threadId } = await askDocent(docent, question, { body: { links: 'relative' } })

    const [, stored] = await readTranscript(docent, threadId)
    expect([text, stored?.text]).toEqual([relative, relative])
    expect(frames.find(({ type }) => type === 'source-url')).toMatchObject({
      url: `${siteUrl}/guides/printers#error-e-42`,
    })
  })
})

it.each([absolute, relative])('a link of the history, such as in %j, stays a source [answer-links]', async (said) => {
  const docent = await startAtUrl(await startDocent({ model: createScriptedModel([[{ type: 'text', text: said }]]) }))

  const { text, frames } = await askDocent(docent, question, { history: [question, said] })

  await docent.remove()
  expect(text).toBe(absolute)
  expect(frames.find(({ type }) => type === 'source-url')).toMatchObject({
    url: `${siteUrl}/guides/printers#error-e-42`,
  })
})
