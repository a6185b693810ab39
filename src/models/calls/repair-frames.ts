import { crc32 } from 'node:zlib'
import { parseJson } from '../../base/parse-json.ts'
import { writeRepaired } from './repair-events.ts'

/** Two lengths and their checksum; a checksum of all ends the frame. */
const preludeBytes = 12
const checksumBytes = 4

/**
 * Repairs token counts in the frames of Amazon's event streams, as `EventRepairer` does in lines.
 *
 * @see https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html
 */
export class FrameRepairer {
  readonly #frameBytesMax: number
  /** Of a frame that is not all there, `#needed` bytes long as far as is known. */
  readonly #begun: Uint8Array[] = []
  #begunBytes = 0
  #needed = preludeBytes
  /** Once a length cannot be one, the rest is passed on as it is. */
  #isLost = false

  constructor(frameBytesMax: number) {
    this.#frameBytesMax = frameBytesMax
  }

  repair(piece: Uint8Array): Uint8Array {
    if (this.#isLost) return piece
    this.#begun.push(piece)
    this.#begunBytes += piece.length
    // Joining the pieces of a long frame each time would take long.
    if (this.#begunBytes < this.#needed) return Buffer.alloc(0)
    const bytes = Buffer.concat(this.#begun.splice(0))
    const frames: Uint8Array[] = []
    let from = 0
    this.#needed = preludeBytes
    while (bytes.length - from >= preludeBytes) {
      const length = bytes.readUInt32BE(from)
      if (length < preludeBytes + checksumBytes || length > this.#frameBytesMax) {
        this.#isLost = true
        return Buffer.concat([...frames, bytes.subarray(from)])
      }
      if (from + length > bytes.length) {
        this.#needed = length
        break
      }
      frames.push(repairFrame(bytes.subarray(from, from + length)))
      from += length
    }
    this.#begun.push(bytes.subarray(from))
    this.#begunBytes = bytes.length - from
    return Buffer.concat(frames)
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#begun)
  }
}

function repairFrame(frame: Buffer): Buffer {
  if (!frame.includes('"usage"')) return frame
  const headersEnd = preludeBytes + frame.readUInt32BE(4)
  const event = parseJson(frame.toString('utf8', headersEnd, frame.length - checksumBytes))
  const repaired = event === null ? null : writeRepaired(event)
  if (repaired === null) return frame
  return writeFrame(frame.subarray(preludeBytes, headersEnd), Buffer.from(repaired))
}

function writeFrame(headers: Buffer, payload: Buffer): Buffer {
  const lengths = Buffer.alloc(preludeBytes - checksumBytes)
  lengths.writeUInt32BE(preludeBytes + headers.length + payload.length + checksumBytes)
  lengths.writeUInt32BE(headers.length, 4)
  const body = Buffer.concat([lengths, checksum(lengths), headers, payload])
  return Buffer.concat([body, checksum(body)])
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(checksumBytes)
  sum.writeUInt32BE(crc32(bytes))
  return sum
}

/** @param payload JSON. */
export function writeEventFrame(type: string, payload: string): Buffer {
  const headers = { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' }
  return writeFrame(Buffer.concat(Object.entries(headers).map(writeHeader)), Buffer.from(payload))
}

const textType = 7

/** Names and values are short and in ASCII. */
function writeHeader([name, value]: [string, string]): Buffer {
  const [nameLength, valueLength] = [name, value].map(({ length }) => String.fromCharCode(length))
  return Buffer.from(`${nameLength}${name}${String.fromCharCode(textType)}\0${valueLength}${value}`, 'latin1')
}
