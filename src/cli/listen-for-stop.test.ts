import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { listenForStop } from './listen-for-stop.ts'

function setUp() {
  const signals = new EventEmitter()
  const exits: number[] = []
  const time = { now: 5_000 }
  const stop = listenForStop({ signals, now: () => time.now, exit: (code) => void exits.push(code) })
  return { signals, exits, time, stop }
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('asks to stop at the first %s', async (name) => {
  const { signals, stop, exits } = setUp()
  const before = stop.signal.aborted

  signals.emit(name)
  await stop.requested

  expect([before, stop.signal.aborted, exits]).toEqual([false, true, []])
})

it('takes the copies of one Ctrl-C for one request, and ends at once at a signal that comes later', () => {
  const { signals, exits, time } = setUp()

  for (const name of ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGINT']) signals.emit(name)
  const afterCopies = [...exits]
  time.now += 1_000
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) signals.emit(name)

  expect([afterCopies, exits]).toEqual([[], [130, 143, 129]])
})
