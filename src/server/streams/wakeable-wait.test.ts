import { expect, it } from 'vitest'
import { WakeableWait } from './wakeable-wait.ts'

const forEver = 2_000_000_000

it('ends when woken, otherwise not before its time', async () => {
  const pause = new WakeableWait()
  let isOver = false

  const waiting = pause.wait(forEver).then(() => (isOver = true))
  await Promise.resolve()
  const before = isOver
  pause.wake()
  await waiting

  expect([before, isOver]).toEqual([false, true])
})

it('is skipped once if it was woken since the last wait', async () => {
  const pause = new WakeableWait()
  pause.wake()
  await pause.wait(forEver)

  const second = pause.wait(forEver).then(() => 'over')
  const first = await Promise.race([second, Promise.resolve().then(() => 'waiting')])
  pause.wake()

  expect([first, await second]).toEqual(['waiting', 'over'])
})
