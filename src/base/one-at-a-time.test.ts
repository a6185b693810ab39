import { expect, it } from 'vitest'
import { OneAtATime } from './one-at-a-time.ts'

it('runs what has one name in its order, and goes on after a failure', async () => {
  const order = new OneAtATime()
  const first = Promise.withResolvers<void>()
  const done: string[] = []

  const runs = [
    order.run('a', () => first.promise.then(() => void done.push('a1'))),
    order.run('a', () => Promise.reject(new Error('no'))),
    order.run('a', async () => void done.push('a3')),
    order.run('b', async () => void done.push('b1')),
  ]
  await runs[3]
  expect(done).toEqual(['b1'])
  first.resolve()

  expect((await Promise.allSettled(runs)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
  expect(done).toEqual(['b1', 'a1', 'a3'])
})
