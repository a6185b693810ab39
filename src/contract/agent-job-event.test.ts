import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type AgentJobEvent, agentJobHeartbeat, decodeAgentJobEvents, encodeAgentJobEvent } from './agent-job-event.ts'
import { StreamFormatError } from './frame-decoder.ts'

async function decode(pieces: readonly string[]) {
  const found: { seq: number; event: AgentJobEvent }[] = []
  const send = async function* () {
    yield* pieces
  }
  for await (const entry of decodeAgentJobEvents(send())) found.push(entry)
  return found
}

it('pins the frame of an event', () => {
  expect(encodeAgentJobEvent(7, { type: 'text-written', text: 'One\r\n\ntwo\u2028' })).toBe(
    'id: 7\nevent: text-written\ndata: {"type":"text-written","text":"One\\r\\n\\ntwo\u2028"}\n\n',
  )
  expect(agentJobHeartbeat).toBe(': ping\n\n')
})

it('gives back every event, whatever it says and wherever the network cuts it', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'data: ', 'id: 1', '\u2028', '🦉', '"') })
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 5 }), fc.integer({ min: 1, max: 7 }), async (texts, size) => {
      const events = texts.map((said, index) => ({
        seq: index + 1,
        event: { type: 'text-written' as const, text: said },
      }))
      const stream = events.map(({ seq, event }) => encodeAgentJobEvent(seq, event) + agentJobHeartbeat).join('')
      const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
        stream.slice(index * size, (index + 1) * size),
      )

      expect(await decode(pieces)).toEqual(events)
    }),
  )
})

it('skips events of a newer service, and refuses what is no event in a sentence', async () => {
  const known = encodeAgentJobEvent(2, { type: 'text-written', text: 'On.' })

  expect(await decode([`id: 1\ndata: {"type":"of-tomorrow"}\n\n${known}`])).toEqual([
    { seq: 2, event: { type: 'text-written', text: 'On.' } },
  ])
  for (const data of ['[DONE]', '{"type":"job-started"}', 'null', '['.repeat(5_000) + ']'.repeat(5_000)]) {
    await expect(decode([`id: 1\ndata: ${data}\n\n`])).rejects.toThrow(StreamFormatError)
  }
})
