import { describe, expect, it } from 'vitest'
import { emitFrom } from '../../../test/support/emit-from.ts'
import { toAsync } from '../../../test/wire/async-lists.ts'
import { fullAnswer, openAnswer } from '../../../test/wire/scripted-answers.ts'
import type { AnswerEvent } from '../../contract/answer-event.ts'
import type { StartCountdown } from './countdown.ts'
import { abandonedMessage, keptCharsMax, ResumableStream, tooLongMessage } from './resumable-stream.ts'
import { brokenAnswerMessage } from './run-source.ts'

const doneFrame = 'data: [DONE]\n\n'
const errorFrames = (sentence: string) => `data: {"type":"error","errorText":"${sentence}"}\n\n${doneFrame}`

type Generate = (signal: AbortSignal) => AsyncIterable<AnswerEvent>

/** A stream whose countdowns elapse on demand. */
function startStream(generate: Generate, { graceMs = 20_000 } = {}) {
  const running = new Map<object, () => void>()
  const startCountdown: StartCountdown = (_, onElapsed) => {
    const countdown = {
      restart: () => void running.set(countdown, onElapsed),
      stop: () => void running.delete(countdown),
    }
    countdown.restart()
    return countdown
  }
  const elapse = () => {
    const elapsed = [...running.values()]
    running.clear()
    for (const onElapsed of elapsed) onElapsed()
  }
  let isReadElsewhere = false
  let signal: AbortSignal | undefined
  const errors: unknown[] = []
  const stream = new ResumableStream(
    { keyId: 'key', chatId: 'chat', address: '::1', audience: '[]' },
    {
      fp: 'reader',
      isSdkClient: true,
      source: (emit, given) => {
        signal = given
        return emitFrom(generate)(emit, given)
      },
      reportError: (error) => errors.push(error),
    },
    { id: '01A', graceMs, startCountdown, onChange: () => {}, isReadElsewhere: () => isReadElsewhere },
  )
  return {
    stream,
    errors,
    elapse,
    running,
    isAborted: () => signal?.aborted === true,
    text: () => stream.log.chunks.join(''),
    readElsewhere: (isRead: boolean) => (isReadElsewhere = isRead),
  }
}

async function* hang(signal: AbortSignal): AsyncGenerator<AnswerEvent> {
  yield* openAnswer('th_1')
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

const ignoreStops = async function* (): AsyncGenerator<AnswerEvent> {
  yield* openAnswer('th_1')
  await new Promise(() => {})
}

const leave = async () => 'disconnected' as const

describe('a resumable answer', () => {
  it('has its whole text when its source is done, and leaves no timer behind', async () => {
    const { stream, text, running } = startStream(() => toAsync(fullAnswer('th_1')))

    await stream.done

    expect(text()).toMatch(/^data: \{"type":"start"[\s\S]*data: \[DONE\]\n\n$/)
    expect([stream.isRunning, running.size]).toEqual([false, 0])
  })

  it('ends with an error message if its source throws or stops early', async () => {
    const { stream, text, errors } = startStream(() => toAsync(openAnswer('th_1')))

    await stream.done

    expect(text().endsWith(errorFrames(brokenAnswerMessage))).toBe(true)
    expect(errors).toHaveLength(1)
  })

  it('is stopped if nobody comes back within the grace period', async () => {
    const { stream, elapse, isAborted, text } = startStream(hang)
    await stream.read(leave)
    const wasAborted = isAborted()

    elapse()

    expect([wasAborted, isAborted(), stream.isRunning]).toEqual([false, true, false])
    expect(text().endsWith(errorFrames(abandonedMessage))).toBe(true)
  })

  it('is not stopped while anyone still reads it', async () => {
    const { stream, elapse, isAborted, running } = startStream(hang)
    const second = Promise.withResolvers<'disconnected'>()
    await stream.read(leave)
    const reading = stream.read(() => second.promise)
    await stream.read(leave)

    elapse()
    const wasAborted = isAborted()
    second.resolve('disconnected')
    await reading

    expect([wasAborted, running.size]).toEqual([false, 1])
    elapse()
    expect(isAborted()).toBe(true)
  })

  it('is not stopped while another process reads it', async () => {
    const { stream, elapse, isAborted, readElsewhere } = startStream(hang)
    await stream.read(leave)

    readElsewhere(true)
    elapse()
    const wasAborted = isAborted()
    readElsewhere(false)
    elapse()

    expect([wasAborted, isAborted()]).toEqual([false, true])
  })

  it('is stopped immediately if there is no grace period', async () => {
    const { stream, isAborted } = startStream(hang, { graceMs: 0 })

    await stream.read(leave)

    expect(isAborted()).toBe(true)
  })

  it('ends on a stop without waiting for its source, and accepts no more text', async () => {
    const { stream, text } = startStream(ignoreStops)
    await new Promise((resolve) => setImmediate(resolve))

    stream.stop()
    stream.stop()
    stream.fail('Too late.')

    expect(text().endsWith(`data: {"type":"abort"}\n\n${doneFrame}`)).toBe(true)
    expect(text().match(/abort/g)).toHaveLength(1)
  })

  it('ends when it exceeds the maximum length', async () => {
    const { stream, text, isAborted } = startStream(async function* () {
      yield* openAnswer('th_1')
      const delta = 'x'.repeat(100_000)
      for (;;) yield { type: 'text-delta', id: 'text_1', text: delta }
    })

    await stream.done

    expect(text().endsWith(errorFrames(tooLongMessage))).toBe(true)
    expect(text().length).toBeLessThan(keptCharsMax + 200_000)
    expect(isAborted()).toBe(true)
  })

  it('that was replaced by a newer one is given up unless somebody reads it', async () => {
    const read = startStream(hang)
    const unread = startStream(hang)
    void read.stream.read(() => new Promise(() => {}))

    read.stream.giveUpUnread()
    unread.stream.giveUpUnread()

    expect([read.isAborted(), unread.isAborted()]).toEqual([false, true])
  })

  it('counts as delivered once a reader has received all of it', async () => {
    const { stream } = startStream(() => toAsync(fullAnswer('th_1')))

    await stream.read(leave)
    const before = stream.isDelivered
    await stream.read(async () => 'finished')

    expect([before, stream.isDelivered]).toEqual([false, true])
  })
})
