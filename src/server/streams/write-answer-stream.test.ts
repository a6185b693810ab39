import { emitFrom } from '../../../test/support/emit-from.ts'
import { getEventListeners } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { toAsync } from '../../../test/wire/async-lists.ts'
import { fullAnswer, openAnswer } from '../../../test/wire/scripted-answers.ts'
import type { AnswerEvent } from '../../contract/answer-event.ts'
import { AppError } from '../../contract/app-error.ts'
import type { StartCountdown } from './countdown.ts'
import { heartbeatMs, stalledHeartbeatsMax } from './response-writer.ts'
import { brokenAnswerMessage } from './run-source.ts'
import { createAnswerFormat, drainedMessage, writeAnswerStream, type AnswerStream } from './write-answer-stream.ts'

const cleanups: (() => void)[] = []

afterEach(() => {
  for (const cleanUp of cleanups.splice(0)) cleanUp()
})

/** Fake time: each call makes all running countdowns elapse. */
function createManualTime() {
  const running = new Map<object, () => void>()
  const delays: number[] = []
  const startCountdown: StartCountdown = (delayMs, onElapsed) => {
    const countdown = {
      restart: () => void running.set(countdown, onElapsed),
      stop: () => void running.delete(countdown),
    }
    delays.push(delayMs)
    countdown.restart()
    return countdown
  }
  const elapse = () => {
    const elapsed = [...running.values()]
    running.clear()
    for (const onElapsed of elapsed) onElapsed()
  }
  return { startCountdown, elapse, delays, running }
}

type GeneratedSource = (signal: AbortSignal) => AsyncIterable<AnswerEvent>

/** Serves one stream and requests it. */
async function startStream({ source, ...stream }: Partial<Omit<AnswerStream, 'source'>> & { source: GeneratedSource }) {
  const time = createManualTime()
  const errors: unknown[] = []
  const drain = new AbortController()
  const outcome = Promise.withResolvers<string>()
  const served = Promise.withResolvers<ServerResponse & { writes: number }>()
  const server = createServer((_, response) => {
    served.resolve(countWrites(response))
    const streaming = writeAnswerStream(response, {
      format: createAnswerFormat('v2', true),
      headers: {},
      startCountdown: time.startCountdown,
      drainSignal: drain.signal,
      reportError: (error) => errors.push(error),
      ...stream,
      source: emitFrom(source),
    })
    void streaming.then(outcome.resolve, outcome.reject)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on a port has an address object.
  const { port } = server.address() as AddressInfo
  const reply = await new Promise<IncomingMessage>((resolve, reject) =>
    get({ port, host: '127.0.0.1' }, resolve).on('error', reject),
  )
  return { reply, time, errors, drain, outcome: outcome.promise, served: await served.promise }
}

function countWrites(response: ServerResponse): ServerResponse & { writes: number } {
  const counted = Object.assign(response, { writes: 0 })
  const write = response.write.bind(response)
  response.write = (chunk: unknown) => {
    counted.writes += 1
    return write(chunk)
  }
  return counted
}

async function readChunk(reply: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    reply.once('data', (chunk) => {
      reply.pause()
      resolve(String(chunk))
    })
    reply.resume()
  })
}

/** A source that emits the given events, then waits until its signal aborts. */
async function* sayAndWait(events: Iterable<AnswerEvent>, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
  yield* events
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

describe('the head', () => {
  it.each([
    ['v1', { 'content-type': 'text/plain; charset=utf-8', 'x-vercel-ai-data-stream': 'v1' }],
    ['v2', { 'content-type': 'text/event-stream; charset=utf-8', 'x-vercel-ai-ui-message-stream': 'v1' }],
  ] as const)('of %s says its format, forbids buffering and has no length [http-headers]', async (version, headers) => {
    const { reply } = await startStream({
      format: createAnswerFormat(version, true),
      headers: { 'X-Thread-Id': 'th_1' },
      source: () => toAsync(fullAnswer('th_1')),
    })

    expect(reply.headers).toMatchObject({
      ...headers,
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'x-thread-id': 'th_1',
      'transfer-encoding': 'chunked',
    })
    expect(reply.headers).not.toHaveProperty('content-length')
  })

  it.each([
    ['v1', '\n'],
    ['v2', ': ping\n\n'],
  ] as const)(
    'of %s goes out with a first byte while the source thinks [http-first-byte]',
    async (version, firstBytes) => {
      const { reply } = await startStream({
        format: createAnswerFormat(version, true),
        source: (signal) => sayAndWait([], signal),
      })

      expect(await readChunk(reply)).toBe(firstBytes)
    },
  )
})

describe('writing', () => {
  it('batches the pieces of one turn of the event loop into one write', async () => {
    const { reply, outcome, served } = await startStream({ source: () => toAsync(manyPieces(200)) })

    const text = await readText(reply)

    expect(text.match(/text-delta/g)).toHaveLength(200)
    expect(await outcome).toBe('finished')
    expect(served.writes).toBeLessThanOrEqual(1)
  })

  it.each([
    ['v1', '\n'],
    ['v2', ': ping\n\n'],
  ] as const)('sends a heartbeat in %s after each 15 s of silence [http-heartbeat]', async (version, heartbeat) => {
    const { reply, time } = await startStream({
      format: createAnswerFormat(version, true),
      source: (signal) => sayAndWait(openAnswer('th_1'), signal),
    })
    await readChunk(reply)

    for (let beats = 0; beats < 3; beats++) {
      time.elapse()
      expect(await readChunk(reply)).toBe(heartbeat)
    }
    expect([heartbeatMs, time.delays]).toEqual([15_000, [15_000]])
  })

  it('pauses the source while the client does not read, and continues when it does [http-slow-reader]', async () => {
    let produced = 0
    const { reply, outcome } = await startStream({
      async *source() {
        for (const event of manyPieces(2000, 'x'.repeat(10_000))) {
          produced += 1
          yield event
        }
      },
    })
    await settle()
    const producedUnread = produced

    const text = await readText(reply)

    expect(producedUnread).toBeLessThan(1500)
    expect(text.match(/text-delta/g)).toHaveLength(2000)
    expect(await outcome).toBe('finished')
  })

  it('cuts off a client that reads nothing for a minute [http-slow-reader]', async () => {
    const { time, outcome, served } = await startStream({ source: () => toAsync(manyPieces(5000, 'x'.repeat(10_000))) })
    await settle()

    for (let beats = 0; beats < stalledHeartbeatsMax; beats++) {
      expect(served.destroyed).toBe(false)
      time.elapse()
    }

    expect(await outcome).toBe('disconnected')
    expect(stalledHeartbeatsMax * heartbeatMs).toBe(60_000)
  })

  it('leaves no timer and no listener behind', async () => {
    const { reply, time, drain, outcome } = await startStream({
      source: () => toAsync(manyPieces(2000, 'x'.repeat(1000))),
    })

    await readText(reply)
    await outcome

    expect(time.running.size).toBe(0)
    expect(getEventListeners(drain.signal, 'abort')).toEqual([])
  })
})

describe('a source', () => {
  it('that throws becomes a message without internals [http-clean-end]', async () => {
    const fault = new Error('password=secret')
    const { reply, outcome, errors } = await startStream({
      async *source() {
        yield* openAnswer('th_1')
        throw fault
      },
    })

    const text = await readText(reply)

    expect(text).toMatch(endOf(brokenAnswerMessage))
    expect(text).not.toContain('secret')
    expect([await outcome, errors]).toEqual(['failed', [fault]])
  })

  it('that throws before its first event ends just as cleanly [http-clean-end]', async () => {
    const { reply, outcome } = await startStream({
      source: () => {
        throw new Error('early')
      },
    })

    expect(await readText(reply)).toMatch(endOf(brokenAnswerMessage))
    expect(await outcome).toBe('failed')
  })

  it('that throws an AppError shows its message and is not reported [http-clean-end]', async () => {
    const { reply, errors } = await startStream({
      async *source() {
        yield* openAnswer('th_1')
        throw new AppError('limit_reached', 'Wait a minute.')
      },
    })

    expect(await readText(reply)).toMatch(endOf('Wait a minute.'))
    expect(errors).toEqual([])
  })

  it('that stops early is reported as a fault [http-clean-end]', async () => {
    const { reply, errors } = await startStream({ source: () => toAsync(openAnswer('th_1')) })

    expect(await readText(reply)).toMatch(endOf(brokenAnswerMessage))
    expect(errors).toHaveLength(1)
  })

  it('may continue after its last event, when the client has the whole answer', async () => {
    const saving = Promise.withResolvers<void>()
    let hasSaved = false
    const { reply, outcome } = await startStream({
      async *source() {
        yield* fullAnswer('th_1')
        await saving.promise
        hasSaved = true
        yield { type: 'text-delta', id: 'text_1', text: 'too late' }
      },
    })

    const text = await readText(reply)
    const hadSaved = hasSaved
    saving.resolve()

    expect(text).toMatch(/data: \[DONE\]\n\n$/)
    expect(text).not.toContain('too late')
    expect([hadSaved, await outcome, hasSaved]).toEqual([false, 'finished', true])
  })
})

describe('an external end', () => {
  it('by the client aborts the signal and ends the source [http-disconnect]', async () => {
    const ended = Promise.withResolvers<boolean>()
    const { reply, outcome, errors, time } = await startStream({
      async *source(signal) {
        try {
          yield* sayAndWait(openAnswer('th_1'), signal)
        } finally {
          ended.resolve(signal.aborted)
        }
      },
    })
    await readChunk(reply)

    reply.destroy()

    expect([await outcome, await ended.promise, errors]).toEqual(['disconnected', true, []])
    expect(time.running.size).toBe(0)
  })

  it('by the client does not wait for a source that ignores it [http-disconnect]', async () => {
    const { reply, outcome } = await startStream({
      source: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
    })
    await readChunk(reply)

    reply.destroy()

    expect(await outcome).toBe('disconnected')
  })

  it.each([
    ['v1', `3:"${drainedMessage}"\n`],
    ['v2', `data: {"type":"error","errorText":"${drainedMessage}"}\n\ndata: [DONE]\n\n`],
  ] as const)('by a drain ends %s with a sentence [http-drain]', async (version, end) => {
    const { reply, outcome, drain } = await startStream({
      format: createAnswerFormat(version, true),
      source: (signal) => sayAndWait(openAnswer('th_1'), signal),
    })
    await readChunk(reply)

    drain.abort()

    expect(await readText(reply)).toBe(end)
    expect(await outcome).toBe('drained')
  })

  it('by a drain that began before the stream works as well [http-drain]', async () => {
    const { reply, outcome } = await startStream({
      drainSignal: AbortSignal.abort(),
      source: (signal) => sayAndWait(openAnswer('th_1'), signal),
    })

    expect(await readText(reply)).toMatch(endOf(drainedMessage))
    expect(await outcome).toBe('drained')
  })
})

function endOf(sentence: string): RegExp {
  return new RegExp(`data: {"type":"error","errorText":"${sentence.replaceAll('.', '\\.')}"}\n\ndata: \\[DONE\\]\n\n$`)
}

function* manyPieces(count: number, text = 'word '): Generator<AnswerEvent> {
  yield* openAnswer('th_1')
  for (let index = 1; index < count; index++) yield { type: 'text-delta', id: 'text_1', text }
  const usage = { inputTokens: 0, outputTokens: 0 }
  yield { type: 'answer-finished', threadId: 'th_1', finishReason: 'stop', usage, metadata: {} }
}

/** Enough turns of the event loop for everything pending to happen. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 300; turns++) await new Promise((resolve) => setImmediate(resolve))
}
