import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeDataStream } from '../../src/contract/data-stream.ts'
import { decodeUiMessageStream, type UiMessageFrame } from '../../src/contract/ui-message-stream.ts'
import { listMessages } from '../../src/store/answers/messages.ts'
import { getThread } from '../../src/store/answers/threads.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

let docent: Docent
beforeAll(async () => {
  docent = await startDocent()
})
afterAll(() => docent.remove())

const v1 = '/discovery/v1/assistant/docs/message'
const v2 = '/discovery/v2/assistant/docs/message'

function ask(text: string, more: object = {}, path = v2) {
  return docent.post(path, {
    fp: 'anonymous',
    messages: [{ role: 'user', content: text, parts: [{ type: 'text', text }] }],
    ...more,
  })
}

async function readFrames(response: Response): Promise<UiMessageFrame[]> {
  const frames: UiMessageFrame[] = []
  for await (const frame of decodeUiMessageStream(toText(await response.text()))) frames.push(frame)
  return frames
}

async function* toText(text: string) {
  yield text
}

const textOf = (frames: readonly UiMessageFrame[]) =>
  frames.map((frame) => (frame.type === 'text-delta' ? frame.delta : '')).join('')
const ofType = <Type extends UiMessageFrame['type']>(frames: readonly UiMessageFrame[], type: Type) =>
  frames.filter((frame): frame is Extract<UiMessageFrame, { type: Type }> => frame.type === type)

async function siteId(): Promise<string> {
  const row = await docent.service.store.durable.selectFrom('sites').select('id').executeTakeFirstOrThrow()
  return row.id
}

describe('a question about the page that the reader is on', () => {
  const currentPath = '/guides/printers'

  it('is answered by its description, its first paragraph and its headings, without another page', async () => {
    const frames = await readFrames(
      await ask('summarize this page', { currentPath: '/sites/docs/guides/printers.html?a=1#b' }),
    )

    expect(textOf(frames)).toContain('Supported printers and paper.')
    expect(textOf(frames)).toContain('Kiosk prints on thermal printers that speak ESC/POS.')
    expect(ofType(frames, 'source-url').map(({ title }) => title)).toEqual(['Printers'])
  })

  it.each(['/', '/sites/docs', '/sites/docs/'])('knows the start page by its address %s', async (start) => {
    const frames = await readFrames(await ask('summarize this page', { currentPath: start }))

    expect(ofType(frames, 'source-url').map(({ url }) => new URL(url).pathname)).toEqual(['/sites/docs'])
  })

  it('is answered by that page alone, even where another page says more', async () => {
    const frames = await readFrames(await ask('What does this page say about the paper?', { currentPath }))

    const [output] = ofType(frames, 'tool-output-available')
    expect(output?.output).not.toEqual([])
    expect(output?.output).toSatisfy((found: { path: string }[]) => found.every(({ path }) => path === currentPath))
    expect(textOf(frames)).toContain('paper')
  })

  it('says so where the page does not answer it', async () => {
    const frames = await readFrames(await ask('What does this page say about updates?', { currentPath }))

    expect(textOf(frames)).toMatch(/^This page does not say anything/)
  })

  it.each([
    [{ currentPath: '/pricing' }, '`/pricing` is not a page of this documentation, so all pages were searched.'],
    [{}, 'It is not known which page you are reading, so all pages were searched.'],
  ])('says first that the page is unknown: %j', async (more, notice) => {
    const frames = await readFrames(await ask('tl;dr', more))

    expect(textOf(frames)).toBe(`${notice}\n\nOpen a page of this documentation, or name it, and ask again.`)
  })
})

describe('an answer', () => {
  it('quotes the page that holds it and cites it, over v2', async () => {
    const frames = await readFrames(await ask('What does the error E-42 mean?'))

    expect(textOf(frames)).toContain('The code `E-42` means that the paper has run out.')
    expect(textOf(frames).replace(docent.url, 'URL')).toMatch(/\]\(URL\/sites\/docs\/guides\/printers(#[\w-]+)?\)/)
    const url = `${docent.url}/sites/docs/guides/printers#error-e-42:~:text=The%20code%20E%2D42%20means%20that%20the%20paper%20has`
    const place = { path: '/guides/printers', revision: expect.stringMatching(/^[0-9a-f]{40}/) }
    const quote = 'The code `E-42` means that the paper has run out.'
    expect(ofType(frames, 'source-url')).toEqual([
      expect.objectContaining({
        url,
        title: 'Printers: Error E-42',
        providerMetadata: { docent: expect.objectContaining({ number: 1, ...place, anchor: 'error-e-42', quote }) },
      }),
    ])
    const [citation] = ofType(frames, 'data-docent-citation')
    expect(citation?.data).toMatchObject({
      number: '1',
      url,
      title: 'Printers: Error E-42',
      quote,
      source: place,
      verdict: 'held',
    })
    expect(textOf(frames).slice(citation?.data.answer.start, citation?.data.answer.end)).toBe(quote)
    const [output] = ofType(frames, 'tool-output-available')
    expect(output?.output).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          path: '/guides/printers',
          content: expect.any(String),
          metadata: expect.objectContaining({
            title: 'Printers',
            href: expect.stringContaining('/sites/docs/guides/printers'),
          }),
        }),
      ]),
    )
  })

  it('takes the page that the reader is on for a hint and not for a part of the question', async () => {
    const context = [{ type: 'textSelection', value: 'Insert a new roll', path: '/guides/printers' }]
    const frames = await readFrames(
      await ask('What does the error E-42 mean?', { currentPath: '/guides/install', context }),
    )

    expect(textOf(frames)).toContain('The code `E-42` means that the paper has run out.')
  })

  it('keeps code blocks whole', async () => {
    const text = textOf(await readFrames(await ask('How do I write the image to a card?')))

    expect(text).toContain('```bash\nkiosk-flash --image kiosk.img --device /dev/sdX\n```')
  })

  it('says plainly when the documentation does not say', async () => {
    const frames = await readFrames(await ask('Does it integrate with Salesforce opportunities?'))

    expect(textOf(frames)).toMatch(/documentation does not say/i)
    expect(ofType(frames, 'finish')[0]?.messageMetadata).toMatchObject({ answered: false })
  })

  it('is the same over v1, with the headers of its deprecation', async () => {
    const response = await ask('What does the error E-42 mean?', {}, v1)
    const frames = []
    for await (const frame of decodeDataStream(toText(await response.text()))) frames.push(frame)

    expect(response.headers.get('x-vercel-ai-data-stream')).toBe('v1')
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(response.headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(response.headers.get('link')).toBe(`<${docent.url}${v2}>; rel="successor-version"`)
    const text = frames.map(({ code, value }) => (code === '0' ? value : '')).join('')
    expect(text).toContain('means that the paper has run out')
    expect(frames.at(-1)).toMatchObject({ code: 'd', value: { threadId: response.headers.get('x-thread-id') } })
  })

  it('takes no more passages than asked for, and none outside the filter', async () => {
    const one = await readFrames(await ask('paper', { retrievalPageSize: 1 }))
    const other = await readFrames(await ask('paper', { filter: { version: 'v9', unknown: 1 } }))

    expect(ofType(one, 'tool-output-available')[0]?.output).toHaveLength(1)
    expect(ofType(other, 'tool-output-available')[0]?.output).toEqual([])
  })
})

describe('a thread', () => {
  it('gets an id and, once, a key', async () => {
    const first = await ask('What is Kiosk?')
    const id = first.headers.get('x-thread-id')
    const key = first.headers.get('x-thread-key')
    const frames = await readFrames(first)
    const second = await ask('And the limits?', { threadId: id, threadKey: key })
    await second.text()

    expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(key).toBeTruthy()
    expect(ofType(frames, 'start')[0]?.messageMetadata).toMatchObject({ threadId: id })
    expect(ofType(frames, 'finish')[0]).toMatchObject({ threadId: id, messageMetadata: { threadId: id } })
    expect(second.status).toBe(200)
    expect(second.headers.get('x-thread-id')).toBe(id)
    expect(second.headers.get('x-thread-key')).toBeNull()
  })

  it('is closed to a key that is not its own', async () => {
    const first = await ask('What is Kiosk?', { threadId: 'my own id' })
    await first.text()

    expect(first.headers.get('x-thread-id')).toBe('my%20own%20id')
    expect((await ask('Again', { threadId: 'my own id', threadKey: 'guess' })).status).toBe(404)
    expect((await ask('Again', { threadId: 'my own id', threadKey: first.headers.get('x-thread-key') })).status).toBe(
      200,
    )
    expect((await ask('Again', { threadId: 'never seen', threadKey: 'any' })).status).toBe(404)
  })

  it('is stored whole before its answer finishes', async () => {
    const response = await ask('What does the error E-42 mean?', { fp: 'user-7' })
    const threadId = response.headers.get('x-thread-id') ?? ''
    const frames = await readFrames(response)

    const db = docent.service.store.durable
    const { items } = await listMessages(db, await siteId(), threadId, { limit: 10 })
    expect((await getThread(db, await siteId(), threadId))?.fp).toBe('user-7')
    expect(items.map(({ role, text, verdict }) => ({ role, text, verdict }))).toEqual([
      { role: 'user', text: 'What does the error E-42 mean?', verdict: null },
      { role: 'assistant', text: textOf(frames), verdict: 'supported' },
    ])
    const [source] = items[1]?.sources ?? []
    expect(source).toMatchObject({
      url: expect.stringContaining('/guides/printers#error-e-42:~:text='),
      title: 'Printers',
    })
    const sent = ofType(frames, 'data-docent-citation').map(({ data }) => data)
    expect(items[1]?.citations).toEqual(
      sent.map((data) => ({ ...data, answer: { ...data.answer, textId: 'message' } })),
    )
  })
})

it('answers 204 when there is nothing to resume, and never 404', async () => {
  const response = await docent.get(`${v2}/any-chat/stream`, { authorization: `Bearer svc_dsc_${'b'.repeat(43)}` })

  expect(response.status).toBe(204)
})

it('takes the frame of the SDK for a client that is strict about finish', async () => {
  const raw = await (await ask('What is Kiosk?', { trigger: 'submit-message', id: 'chat-1' })).text()

  const finish = raw.split('\n\n').find((event) => event.includes('"type":"finish"'))
  expect(Object.keys(JSON.parse(finish?.slice('data: '.length) ?? '') as object)).toEqual(['type', 'messageMetadata'])
  expect(finish).toMatch(/^data: \{"type":"finish","messageMetadata":\{.*"threadId":"[0-9A-Z]{26}"/)
  expect(raw.endsWith('data: [DONE]\n\n')).toBe(true)
})
