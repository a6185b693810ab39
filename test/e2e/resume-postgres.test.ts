import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lostWriterMessage } from '../../src/server/streams/follow-stored-stream.ts'
import { askInChat, framesOf, readUntil, resumeChat, saidIn, stopChat } from '../support/chat-stream.ts'
import { createGatedModel } from '../support/gated-model.ts'
import { type Docent, startDocent, type StartDocentOptions } from '../support/start-docent.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { waitUntil } from '../wire/wire-client.ts'

const server = await startPostgres()
if ('unavailable' in server) process.stderr.write(`Skipped resuming on PostgreSQL: ${server.unavailable}\n`)

/** On a busy machine, coming back takes seconds. */
const graceMs = 6_000

describe.skipIf('unavailable' in server)('an answer of one process, in another on the same PostgreSQL', () => {
  const running: Docent[] = []
  let writer: Docent
  let reader: Docent
  const model = createGatedModel()
  const readerClock = { aheadMs: 0, now: () => Date.now() + readerClock.aheadMs }

  async function start(options: StartDocentOptions): Promise<Docent> {
    const docent = await startDocent({
      ...options,
      env: {
        DATABASE_URL: 'url' in server ? server.url : '',
        DOCENT_SECRET_KEY: 'x'.repeat(40),
        DOCENT_SHUTDOWN_SECONDS: '0',
        DOCENT_RESUME_GRACE_SECONDS: String(graceMs / 1_000),
      },
    })
    running.push(docent)
    return docent
  }

  /** Two processes, and the model of the first is gated. */
  beforeAll(async () => {
    writer = await start({ model })
    reader = await start({ folder: writer.folder, clock: readerClock })
  }, 60_000)

  beforeEach(() => model.close())

  afterAll(async () => {
    for (const docent of running.toReversed()) await docent.remove()
    if ('stop' in server) await server.stop()
  }, 30_000)

  /** Asks until the other process can find the answer, which takes its writer some moments. */
  async function resumeSoon(docent: Docent, chatId: string): Promise<Response> {
    for (;;) {
      const response = await resumeChat(docent, chatId)
      if (response.status === 200) return response
    }
  }

  it('is replayed from its start, goes on live, and is kept alive by its reader', async () => {
    const cut = await readUntil(await askInChat(writer, 'chat-1'), 'first ')
    await cut.cut()

    const resumed = await readUntil(await resumeSoon(reader, 'chat-1'), 'first ')
    await new Promise((resolve) => setTimeout(resolve, graceMs + 1_000))
    const isStopped = model.isStopped()
    model.open()
    const text = await resumed.readRest()
    const again = await (await resumeChat(writer, 'chat-1')).text()

    expect(isStopped).toBe(false)
    expect(framesOf(text).slice(0, framesOf(cut.text).length)).toEqual(framesOf(cut.text))
    expect(saidIn(text)).toBe('first second.')
    expect(framesOf(again)).toEqual(framesOf(text))
  })

  it('is stopped from there', async () => {
    const asked = await readUntil(await askInChat(writer, 'chat-2'), 'first ')
    const resumed = await readUntil(await resumeSoon(reader, 'chat-2'), 'first ')

    const outcome = await stopChat(reader, 'chat-2')

    expect(outcome).toEqual({ stopped: true })
    for (const stream of [await asked.readRest(), await resumed.readRest()]) {
      expect(framesOf(stream).slice(-2)).toEqual(['data: {"type":"abort"}', 'data: [DONE]'])
    }
    await waitUntil(() => model.isStopped())
  })

  it('is nobody’s any more once the chat id was used there by another fp', async () => {
    await readUntil(await askInChat(writer, 'chat-3'), 'first ')
    await resumeSoon(reader, 'chat-3')

    await (await askInChat(reader, 'chat-3', { fp: 'somebody-else' })).text()
    const replies = [await resumeChat(reader, 'chat-3'), await resumeChat(writer, 'chat-3')]

    expect(replies.map(({ status }) => status)).toEqual([204, 204])
  })

  it('ends with a sentence when its process stops giving signs of life', async () => {
    await readUntil(await askInChat(writer, 'chat-4'), 'first ')
    await (await resumeSoon(reader, 'chat-4')).body?.cancel()
    await writer.service.store.close()
    readerClock.aheadMs = 60_000

    const text = await (await resumeChat(reader, 'chat-4')).text()

    expect(saidIn(text)).toBe('first ')
    expect(framesOf(text).slice(-2)).toEqual([
      `data: {"type":"error","errorText":"${lostWriterMessage}"}`,
      'data: [DONE]',
    ])
  })
})
