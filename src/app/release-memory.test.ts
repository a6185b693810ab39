import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { releaseMemory, processMemory } from './release-memory.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const mebibyte = 2 ** 20

function setup() {
  const process = { utilization: 0, heapBytes: 100 * mebibyte, collections: 0 }
  const stop = releaseMemory({
    readLoop: () => ({ idle: 0, active: 0, utilization: process.utilization }),
    measureHeapBytes: () => process.heapBytes,
    collect: () => {
      process.collections++
      process.heapBytes = 40 * mebibyte
    },
  })
  return { process, stop }
}

it('collects what a start left, and then only what has grown since', () => {
  const { process } = setup()

  vi.advanceTimersByTime(60_000)
  expect(process.collections).toBe(1)

  process.heapBytes = 50 * mebibyte
  vi.advanceTimersByTime(60_000)
  expect(process.collections).toBe(1)

  process.heapBytes = 60 * mebibyte
  vi.advanceTimersByTime(60_000)
  expect(process.collections).toBe(2)
})

it('never stops a process that is at work', () => {
  const { process } = setup()
  process.utilization = 0.2

  vi.advanceTimersByTime(60_000)

  expect(process.collections).toBe(0)
})

it('ends with the service', () => {
  const { process, stop } = setup()
  stop()

  vi.advanceTimersByTime(60_000)

  expect(process.collections).toBe(0)
})

it('collects in this process', async () => {
  vi.useRealTimers()
  const weak = new WeakRef({ garbage: true })
  await new Promise((resolve) => setImmediate(resolve))

  processMemory().collect()

  expect(weak.deref()).toBeUndefined()
})
