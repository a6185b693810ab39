import { SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { identitySecretSchema, keyCreatedSchema } from '../../src/contract/admin.ts'
import { lostWriterMessage } from '../../src/server/streams/follow-stored-stream.ts'
import { abandonedMessage } from '../../src/server/streams/resumable-stream.ts'
import { insertStreamPieces, saveStreamChats } from '../../src/store/streams/stream-events.ts'
import { askInChat, framesOf, readUntil, resumeChat, saidIn, stopChat } from '../support/chat-stream.ts'
import { createGatedModel } from '../support/gated-model.ts'
import { adminKey, type Docent, startDocent } from '../support/start-docent.ts'
import { waitUntil } from '../wire/wire-client.ts'

const model = createGatedModel()
const running: Docent[] = []
let docent: Docent
beforeAll(async () => {
  docent = await start()
})
beforeEach(() => model.close())
afterEach(() => model.open())
afterAll(async () => {
  await Promise.all(running.map((each) => each.remove()))
})

async function start(env: Record<string, string> = {}): Promise<Docent> {
  const started = await startDocent({
    model,
    env: { DOCENT_TRUST_PROXY: '1', DOCENT_SHUTDOWN_SECONDS: '0', ...env },
  })
  running.push(started)
  return started
}

/** A client of another address, as the trusted proxy in front tells it. */
const elsewhere = { 'x-forwarded-for': '203.0.113.7' }

async function makeKey(docent: Docent, more: object = {}): Promise<Record<string, string>> {
  const body = { kind: 'assistant', name: 'Other', siteId: 'docs', ...more }
  const response = await docent.post('/admin/v1/keys', body, { authorization: `Bearer ${adminKey}` })
  return { authorization: `Bearer ${keyCreatedSchema.parse(await response.json()).secret}` }
}

describe('an answer whose reader was cut off', () => {
  it('goes on, is replayed from its start and then live, to any number of readers', async () => {
    const cut = await readUntil(await askInChat(docent, 'chat-1'), 'first ')
    await cut.cut()

    const early = await readUntil(await resumeChat(docent, 'chat-1'), 'first ')
    model.open()
    const streams = [await early.readRest(), await (await resumeChat(docent, 'chat-1')).text()]

    for (const stream of streams) {
      expect(framesOf(stream).slice(0, framesOf(cut.text).length)).toEqual(framesOf(cut.text))
      expect(saidIn(stream)).toBe('first second.')
      expect(stream).toMatch(/"type":"finish"[^\n]*\n\ndata: \[DONE\]\n\n$/)
    }
  })

  it('gives the reader that stayed and the one that came the same bytes', async () => {
    const asked = await readUntil(await askInChat(docent, 'chat ü/1'), 'first ')
    const resumed = await readUntil(await resumeChat(docent, 'chat ü/1'), 'first ')

    model.open()

    expect(framesOf(await resumed.readRest())).toEqual(framesOf(await asked.readRest()))
  })

  it('is stored as any other when it ends while nobody reads', async () => {
    const cut = await readUntil(await askInChat(docent, 'chat-3'), 'first ')
    await cut.cut()

    model.open()
    const threadId = /"threadId":"([^"]+)"/.exec(cut.text)?.[1] ?? ''
    const stored = docent.service.store.durable
    const answer = () => stored.selectFrom('messages').selectAll().where('threadId', '=', threadId).execute()
    while ((await answer()).length === 0) await new Promise((resolve) => setImmediate(resolve))

    expect(await answer()).toMatchObject([{ role: 'user' }, { role: 'assistant', text: 'first second.' }])
  })

  it('is stopped, told and stored when the grace period is over', async () => {
    const docent = await start({ DOCENT_RESUME_GRACE_SECONDS: '0' })
    const cut = await readUntil(await askInChat(docent, 'chat-4'), 'first ')

    await cut.cut()
    await waitUntil(() => model.isStopped())

    const resumed = await (await resumeChat(docent, 'chat-4')).text()
    expect(saidIn(resumed)).toBe('first ')
    expect(framesOf(resumed).slice(-2)).toEqual([
      `data: {"type":"error","errorText":"${abandonedMessage}"}`,
      'data: [DONE]',
    ])
  })

  it('does not hold the process up when that stops', async () => {
    const docent = await start()
    const cut = await readUntil(await askInChat(docent, 'chat-5'), 'first ')
    await cut.cut()

    await docent.stop()

    expect(model.isStopped()).toBe(true)
  })

  it('ends with a sentence when the process that wrote it died', async () => {
    const { relaxed } = docent.service.store
    const { id: keyId } = await relaxed
      .selectFrom('keys')
      .select('id')
      .where('kind', '=', 'assistant')
      .executeTakeFirstOrThrow()
    const stream = { keyId, chatId: 'chat-6', streamId: '01K0' }
    const owner = { address: '127.0.0.1', fp: 'reader', audience: '[false]', isShared: false }
    await saveStreamChats(relaxed, [{ ...stream, ...owner, aliveAt: Date.now(), keptUntil: null }])
    await insertStreamPieces(relaxed, [{ ...stream, seq: 0, text: 'data: {"type":"start"}\n\n', isLast: false }])

    const resumed = await (await resumeChat(docent, 'chat-6')).text()

    expect(framesOf(resumed)).toEqual([
      'data: {"type":"start"}',
      `data: {"type":"error","errorText":"${lostWriterMessage}"}`,
      'data: [DONE]',
    ])
  })
})

describe('nothing to resume (204)', () => {
  it('is what an unknown chat has', async () => {
    expect((await resumeChat(docent, 'never')).status).toBe(204)
  })

  it('is what another address and another key are told', async () => {
    await readUntil(await askInChat(docent, 'chat-8'), 'first ')

    expect((await resumeChat(docent, 'chat-8', elsewhere)).status).toBe(204)
    expect((await resumeChat(docent, 'chat-8', await makeKey(docent))).status).toBe(204)
    const same = await resumeChat(docent, 'chat-8')
    expect(same.status).toBe(200)
    await same.body?.cancel()
  })

  it('is what a reader of other groups is told', async () => {
    const asAdmin = { authorization: `Bearer ${adminKey}` }
    const rotated = await docent.post('/admin/v1/sites/docs/identity-secret', {}, asAdmin)
    const { secret } = identitySecretSchema.parse(await rotated.json())
    const token = await new SignJWT({ groups: ['staff'] })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('u1')
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(secret))
    const asStaff = { 'x-docent-identity': token }
    await readUntil(await askInChat(docent, 'chat-9', { headers: asStaff }), 'first ')

    const asNobody = await resumeChat(docent, 'chat-9')
    model.open()
    const asItself = await resumeChat(docent, 'chat-9', asStaff)

    expect(asNobody.status).toBe(204)
    expect(saidIn(await asItself.text())).toBe('first second.')
  })

  it.each([
    ['fp', { fp: 'somebody-else' }],
    ['address', { headers: elsewhere }],
  ])('is what everybody is told once another %s has used the chat id', async (_, other) => {
    await readUntil(await askInChat(docent, 'shared-10'), 'first ')
    await readUntil(await askInChat(docent, 'shared-10', other), 'first ')

    const replies = [await resumeChat(docent, 'shared-10'), await resumeChat(docent, 'shared-10', elsewhere)]
    await readUntil(await askInChat(docent, 'shared-10'), 'first ')
    replies.push(await resumeChat(docent, 'shared-10'))

    expect(replies.map(({ status }) => status)).toEqual([204, 204, 204])
    expect(await stopChat(docent, 'shared-10')).toEqual({ stopped: false })
  })

  it('is still what everybody is told when memory has forgotten who used the chat id', async () => {
    const { relaxed } = docent.service.store
    const { id: keyId } = await relaxed
      .selectFrom('keys')
      .select('id')
      .where('kind', '=', 'assistant')
      .executeTakeFirstOrThrow()
    const used = { keyId, chatId: 'shared-11', streamId: '01K0', address: '127.0.0.1', fp: 'somebody-else' }
    await saveStreamChats(relaxed, [{ ...used, audience: '[false]', isShared: false, aliveAt: 1, keptUntil: 1 }])

    await readUntil(await askInChat(docent, 'shared-11'), 'first ')

    expect((await resumeChat(docent, 'shared-11')).status).toBe(204)
  })

  it('leaves no trace of an answer whose body names no chat', async () => {
    model.open()

    await (
      await docent.post('/discovery/v2/assistant/docs/message', {
        fp: 'no-chat',
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'q' }] }],
      })
    ).text()

    expect(
      await docent.service.store.durable.selectFrom('streamChats').selectAll().where('fp', '=', 'no-chat').execute(),
    ).toEqual([])
  })
})

describe('stop', () => {
  it('ends the answer at once, for its readers without an error, and the model', async () => {
    const asked = await readUntil(await askInChat(docent, 'chat-13'), 'first ')

    const outcome = await stopChat(docent, 'chat-13')

    expect(outcome).toEqual({ stopped: true })
    expect(await asked.readRest()).toMatch(/\n\ndata: \{"type":"abort"\}\n\ndata: \[DONE\]\n\n$/)
    expect(model.isStopped()).toBe(true)
    expect(await stopChat(docent, 'chat-13')).toEqual({ stopped: false })
  })

  it('is refused to other addresses and keys, who are told the same as of nothing', async () => {
    const asked = await readUntil(await askInChat(docent, 'chat-14'), 'first ')

    const outcomes = [
      await stopChat(docent, 'chat-14', elsewhere),
      await stopChat(docent, 'chat-14', await makeKey(docent)),
      await stopChat(docent, 'never'),
    ]
    model.open()

    expect(outcomes).toEqual([{ stopped: false }, { stopped: false }, { stopped: false }])
    expect(saidIn(await asked.readRest())).toBe('first second.')
  })
})
