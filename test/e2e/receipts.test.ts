import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Receipt } from '../../src/contract/receipts.ts'
import { checkReceipt, type ReceiptKey } from '../../src/git/verify-receipt.mjs'
import { readTranscript, sendAsAdmin } from '../support/ask.ts'
import { noonClock } from '../support/noon.ts'
import { adminKey, assistantKey, type Docent, sampleSite, startDocent } from '../support/start-docent.ts'

let docent: Docent
let staffKey: string

beforeAll(async () => {
  docent = await startDocent()
  const made = await sendAsAdmin(docent, 'POST', '/admin/v1/keys', {
    kind: 'assistant',
    name: 'staff',
    siteId: 'docs',
    groups: ['staff'],
  })
  staffKey = (made.body as { secret: string }).secret
  return () => docent.remove()
})

interface AskedAnswer {
  threadId: string
  threadKey: string
  /** Id of the newest answer. */
  messageId: string
}

async function ask(text: string, body: object = {}, key = assistantKey, server = docent): Promise<AskedAnswer> {
  const messages = [{ role: 'user', parts: [{ type: 'text', text }] }]
  const path = '/discovery/v2/assistant/docs/message'
  const response = await server.post(path, { fp: 'a', messages, ...body }, { authorization: `Bearer ${key}` })
  await response.text()
  const threadId = response.headers.get('x-thread-id') ?? ''
  const answers = (await readTranscript(server, threadId)).filter(({ role }) => role === 'assistant')
  return { threadId, threadKey: response.headers.get('x-thread-key') ?? '', messageId: answers.at(-1)?.id ?? '' }
}

async function getReceipt(
  { threadId, messageId }: Omit<AskedAnswer, 'threadKey'>,
  { key = assistantKey, threadKey = '', domain = 'docs' },
) {
  const path = `/discovery/v2/assistant/${domain}/threads/${threadId}/messages/${messageId}/receipt`
  const response = await docent.get(path, { authorization: `Bearer ${key}`, 'x-thread-key': threadKey })
  return { status: response.status, receipt: (await response.json()) as Receipt }
}

async function readKey(): Promise<ReceiptKey & { kid: string }> {
  const response = await docent.get('/.well-known/docent-receipt-key.json')
  return (await response.json()) as ReceiptKey & { kid: string }
}

/** The one repository of the built-in host. */
async function findRepository(): Promise<string> {
  const folder = join(docent.folder, 'repositories')
  const [name = ''] = await readdir(folder)
  return join(folder, name)
}

describe('the receipt of an answer', () => {
  it('says what is stored, is signed with the published key, and is the same each time', async () => {
    const asked = await ask('What is Kiosk?')

    const { receipt } = await getReceipt(asked, asked)

    const key = await readKey()
    const [question, answer] = await readTranscript(docent, asked.threadId)
    expect(receipt).toMatchObject({
      question: question?.text,
      text: answer?.text,
      key: key.kid,
      site: { slug: 'docs' },
      verdict: 'supported',
    })
    expect(receipt.commit).toMatch(/^[0-9a-f]{40}$/)
    const repository = await findRepository()
    const report = await checkReceipt(Buffer.from(JSON.stringify(receipt)), { repository, keys: [key] })
    expect(report).toMatchObject({ verified: true, origin: 'checked' })
    expect(report.citations.length).toBeGreaterThan(1)
    expect(new Set(report.citations.map(({ status }) => status))).toEqual(new Set(['held']))
    expect((await getReceipt(asked, asked)).receipt).toEqual(receipt)
  })

  it('holds what is stored of the question, not what must not be', async () => {
    const asked = await ask('What is Kiosk? Tell jo@example.com')

    expect((await getReceipt(asked, asked)).receipt.question).toBe('What is Kiosk? Tell [e-mail]')
  })

  it('is refused without the key of its thread, on another site, and for questions', async () => {
    const asked = await ask('How do I install it?')
    const [question] = await readTranscript(docent, asked.threadId)
    const other = await ask('How do I install it?')

    expect((await getReceipt(asked, { threadKey: '' })).status).toBe(400)
    expect((await getReceipt(asked, { threadKey: other.threadKey })).status).toBe(404)
    expect((await getReceipt(asked, { ...asked, domain: 'others' })).status).toBe(404)
    expect((await getReceipt(asked, { ...asked, key: `svc_dsc_${'x'.repeat(43)}` })).status).toBe(401)
    expect((await getReceipt({ ...asked, messageId: question?.id ?? '' }, asked)).status).toBe(404)
    expect((await getReceipt({ ...asked, threadId: other.threadId }, other)).status).toBe(404)
  })

  it('of an answer to a reader with more groups is refused to the holder of the thread key without them', async () => {
    const asked = await ask('How do I install it?')
    const followed = await ask('And on the server?', { threadId: asked.threadId }, staffKey)

    expect((await getReceipt(followed, { threadKey: asked.threadKey })).status).toBe(404)
    expect((await getReceipt(followed, { threadKey: asked.threadKey, key: staffKey })).status).toBe(200)
    expect((await getReceipt(asked, { threadKey: asked.threadKey, key: staffKey })).status).toBe(200)
  })

  it('counts as a search once it exists', async () => {
    const limited = await startDocent({ clock: noonClock, env: { DOCENT_LIMIT_SEARCH_PER_HOUR: '2' } })
    onTestFinished(() => limited.remove())
    const asked = await ask('What is Kiosk?', {}, assistantKey, limited)
    const headers = { authorization: `Bearer ${assistantKey}`, 'x-thread-key': asked.threadKey }
    const read = async (messageId: string) => {
      const path = `/discovery/v2/assistant/docs/threads/${asked.threadId}/messages/${messageId}/receipt`
      return (await limited.get(path, headers)).status
    }

    expect([await read('none'), await read(asked.messageId), await read(asked.messageId)]).toEqual([404, 200, 200])
    expect(await read(asked.messageId)).toBe(429)
  })

  it('is there for members, whoever asked', async () => {
    const { threadId, messageId } = await ask('How do I install it?', {}, staffKey)
    const path = `/admin/v1/sites/docs/threads/${threadId}/messages/${messageId}/receipt`

    expect((await docent.get(path, { authorization: `Bearer ${adminKey}` })).status).toBe(200)
    expect((await docent.get(path, { authorization: `Bearer ${assistantKey}` })).status).toBe(403)
    expect((await docent.get(path)).status).toBe(401)
  })
})

describe('a replay', () => {
  const replay = async ({ threadId, messageId }: AskedAnswer, server = docent) => {
    const path = `/admin/v1/sites/docs/threads/${threadId}/messages/${messageId}/replay`
    return (await sendAsAdmin(server, 'GET', path)).body
  }

  it('says every byte of an offline answer again from the same index', async () => {
    const same = { isPromptSame: true, again: { isSame: true }, today: { isSame: true } }

    expect(await replay(await ask('What is Kiosk?'))).toMatchObject(same)
    expect(await replay(await ask('How do I install it on the server?', { retrievalPageSize: 2 }))).toMatchObject(same)
    expect(await replay(await ask('Hello'))).toMatchObject(same)
  })

  it('opens the index that the answer came from, and shows what a changed page says today', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docent-replay-'))
    await cp(sampleSite, folder, { recursive: true })
    const other = await startDocent({ demoFolder: folder })
    onTestFinished(async () => {
      await other.remove()
      await rm(folder, { recursive: true })
    })
    const asked = await ask('What is Kiosk?', {}, assistantKey, other)
    const page = await readFile(join(folder, 'index.mdx'), 'utf8')
    await writeFile(join(folder, 'index.mdx'), page.replace('ticket machine. It', 'parking meter. It'))
    await sendAsAdmin(other, 'POST', '/admin/v1/sites/docs/sync')

    await vi.waitFor(
      async () => {
        expect(await replay(asked, other)).toMatchObject({
          isPromptSame: true,
          again: { isSame: true },
          today: { isSame: false, text: expect.stringContaining('parking meter') },
          missing: [expect.stringContaining('masked')],
        })
      },
      { timeout: 20_000, interval: 500 },
    )
  })

  it('says what is gone', async () => {
    const context = [{ type: 'code', value: 'kiosk --help' }]

    const replayed = await replay(await ask('What is Kiosk?', { context }))

    expect(replayed).toMatchObject({ missing: expect.arrayContaining([expect.stringContaining('code, selection')]) })
  })

  it('stores and counts nothing', async () => {
    const asked = await ask('What is Kiosk?')
    const before = await readTranscript(docent, asked.threadId)

    await replay(asked)

    expect(await readTranscript(docent, asked.threadId)).toEqual(before)
  })
})
