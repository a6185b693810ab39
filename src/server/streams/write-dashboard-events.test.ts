import { expect, it } from 'vitest'
import { WaitingEvents } from './write-dashboard-events.ts'

it('sends the same change once, and collapses many into one that stands for all', async () => {
  const waiting = new WaitingEvents()

  waiting.add({ type: 'key-changed', id: 'a' })
  waiting.add({ type: 'key-changed', id: 'a' })
  const same = waiting.take()
  for (let id = 0; id < 1_000; id++) waiting.add({ type: 'site-changed', id: `${id}` })
  await waiting.untilSome()
  const many = waiting.take()

  expect(same).toBe('data: {"type":"key-changed","id":"a"}\n\n')
  expect(many.startsWith('data: {"type":"everything-changed"}\n\n')).toBe(true)
  expect(many.length).toBeLessThan(20_000)
  expect(waiting.take()).toBe('')
})
