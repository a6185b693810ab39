import { expect, it, vi } from 'vitest'
import { pauseMs, ReadingPace } from './reading-pace.ts'

function setup(utilization: number) {
  let nowMs = 0
  const loop = { idle: 0, active: 0, utilization }
  const pace = new ReadingPace({ now: () => nowMs, readLoop: () => loop })
  nowMs = 1_000
  return { loop, pace, pass: (ms: number) => (nowMs += ms) }
}

/** How long the read with this number waits. */
async function measurePause(pace: ReadingPace, read: number): Promise<number> {
  vi.useFakeTimers()
  try {
    const pause = pace.startStream(new Promise(() => {}))
    for (let earlier = 1; earlier < read; earlier++) void pause()
    vi.clearAllTimers()
    const startedAt = Date.now()
    const paused = pause()
    await vi.runAllTimersAsync()
    await paused
    return Date.now() - startedAt
  } finally {
    vi.useRealTimers()
  }
}

it.each([
  [0, 0],
  [0.1, 0],
  [0.2, pauseMs],
  [1, pauseMs],
])('pauses while the process is busy: %d of its time, %d ms', async (utilization, expected) => {
  const { pace } = setup(utilization)

  expect(await measurePause(pace, 9)).toBe(expected)
})

it('lets the beginning of an answer never wait', async () => {
  const { pace } = setup(1)

  expect(await measurePause(pace, 4)).toBe(0)
})

it('follows the load', async () => {
  const { pace, loop, pass } = setup(1)
  const measure = async (utilization: number) => {
    loop.utilization = utilization
    pass(100)
    return measurePause(pace, 9)
  }

  expect([await measure(0.2), await measure(0.1), await measure(0.02), await measure(0.1)]).toEqual([
    pauseMs,
    // What the pauses save must not end them.
    pauseMs,
    0,
    0,
  ])
})

it('ends a pause when there is no more to read', async () => {
  const { pace } = setup(1)
  const end = Promise.withResolvers<void>()
  const pause = pace.startStream(end.promise)
  for (let read = 1; read < 9; read++) void pause()
  const paused = pause()

  vi.useFakeTimers()
  end.resolve()
  await paused
  vi.useRealTimers()

  expect(pause()).toBeUndefined()
})
