import { expect, it } from 'vitest'
import { ThreadMemory } from './thread-memory.ts'

it.each([
  ['caf%C3%A9', 'café'],
  ['50%off', '50%off'],
])('remembers the key of the thread that the header %j names', (header, threadId) => {
  const memory = new ThreadMemory(null)

  memory.note('chat', new Headers({ 'X-Thread-Id': header, 'X-Thread-Key': 'secret' }))

  expect(memory.find('chat', [{ metadata: { threadId } }], false)).toEqual({ threadId, threadKey: 'secret' })
})
