import { expect, it } from 'vitest'
import type { ChatStreamPart } from '../chat-model.ts'
import { createPartStream, readParts } from './part-stream.ts'

const parts: ChatStreamPart[] = ['one', 'two'].map((delta) => ({ type: 'text-delta', id: '0', delta }))

function createStream() {
  const cancelled: unknown[] = []
  let place = 0
  const stream = createPartStream({
    async read() {
      const value = cancelled.length === 0 ? parts[place++] : undefined
      return value === undefined ? { done: true, value } : { done: false, value }
    },
    async cancel(reason) {
      cancelled.push(reason)
    },
  })
  return { stream, cancelled }
}

it('gives the same parts at the source as through the stream', async () => {
  const reader = readParts(createStream().stream)
  const direct = [await reader.read(), await reader.read(), await reader.read()]

  expect(direct).toEqual([...parts.map((value) => ({ done: false, value })), { done: true, value: undefined }])
  const streamed: ChatStreamPart[] = []
  for await (const part of createStream().stream) streamed.push(part)
  expect(streamed).toEqual(parts)
})

it('lets nobody else read a stream that is read at its source', async () => {
  const { stream, cancelled } = createStream()
  const reader = readParts(stream)

  expect(() => stream.getReader()).toThrow(TypeError)
  await reader.cancel('left')
  expect(cancelled).toEqual(['left'])
  expect(await reader.read()).toEqual({ done: true, value: undefined })
})
