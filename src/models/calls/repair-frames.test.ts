import { expect, it } from 'vitest'
import { encodeAmazonFrame } from '../../../test/models/amazon-frame.ts'
import { FrameRepairer } from './repair-frames.ts'

const text = '{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"Größe"}}}'
const counts = (usage: object) => JSON.stringify({ metadata: { usage } })
const join = (...events: string[]) => Buffer.concat(events.map(encodeAmazonFrame))

function repair(bytes: Buffer, pieceBytes: number): Buffer {
  const repairer = new FrameRepairer(1_000)
  const pieces: Uint8Array[] = []
  for (let from = 0; from < bytes.length; from += pieceBytes)
    pieces.push(repairer.repair(bytes.subarray(from, from + pieceBytes)))
  return Buffer.concat([...pieces, repairer.finish()])
}

it.each([1, 5, 64, 10_000])('makes numbers of counts, in pieces of %i bytes', (pieceBytes) => {
  const sent = join(text, counts({ inputTokens: '120', outputTokens: '30', cacheReadInputTokens: null }), text)

  const repaired = join(text, counts({ inputTokens: 120, outputTokens: 30, cacheReadInputTokens: null }), text)
  expect(repair(sent, pieceBytes).equals(repaired)).toBe(true)
})

it('passes on what is no frame, too long or cut short', () => {
  const noise = Buffer.concat([join(text), Buffer.from([0, 0, 0, 3]), Buffer.alloc(40, 7)])
  const long = Buffer.concat([Buffer.from([0x7f, 0xff, 0xff, 0xff]), Buffer.alloc(40, 7)])
  const cut = join(text, text).subarray(0, -9)

  for (const bytes of [noise, long, cut]) expect(repair(bytes, 7).equals(bytes)).toBe(true)
})

it('passes on a frame of counts whose payload is no JSON', () => {
  const broken = encodeAmazonFrame('{"usage":')

  expect(repair(broken, 9).equals(broken)).toBe(true)
})

it('passes on a frame that is nested too deeply', () => {
  const deep = encodeAmazonFrame(`{"usage":{},"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)

  expect(Buffer.from(new FrameRepairer(1_000_000).repair(deep)).equals(deep)).toBe(true)
})

it('reads a long frame in linear time', () => {
  const frame = encodeAmazonFrame(`"${'a'.repeat(1_000_000)}"`)
  const repairer = new FrameRepairer(2_000_000)
  const started = process.cpuUsage()

  for (let from = 0; from < frame.length; from += 20) repairer.repair(frame.subarray(from, from + 20))

  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_000)
  expect(repairer.finish()).toHaveLength(0)
})
