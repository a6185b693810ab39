import { expect, it } from 'vitest'
import { EventFrames } from './event-frames.ts'

const stream =
  ': ping\n\nid: 1\nevent: said\ndata: {"text":"a\\n\\nb"}\n\nid: 2\ndata: broken\n\nid: 3\ndata: {"text":"c"}\n\n'

it.each([1, 2, 7, stream.length])('gives each event once, in pieces of %d characters', (size) => {
  const frames = new EventFrames<{ text: string }>()
  const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
    stream.slice(index * size, (index + 1) * size),
  )

  expect(pieces.flatMap((piece) => frames.push(piece))).toEqual([
    { seq: 1, event: { text: 'a\n\nb' } },
    { seq: 3, event: { text: 'c' } },
  ])
})
