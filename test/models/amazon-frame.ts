import { crc32 } from 'node:zlib'

const stringType = 7

/**
 * A frame of Amazon's event stream encoding: two lengths with their checksum, headers, payload, checksum of all.
 *
 * @param event A JSON object whose one key is the type of the event; anything else is sent as it is.
 * @see https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html
 */
export function encodeAmazonFrame(event: string): Buffer {
  const [, type = 'contentBlockDelta', payload = event] = /^\{"(\w+)":(\{.*\})\}$/.exec(event) ?? []
  const kind = type.endsWith('Exception') ? 'exception' : 'event'
  const headers = Buffer.concat([
    encodeHeader(`:${kind}-type`, type),
    encodeHeader(':content-type', 'application/json'),
    encodeHeader(':message-type', kind),
  ])
  const body = Buffer.from(payload)
  const lengths = Buffer.concat([encodeNumber(16 + headers.length + body.length), encodeNumber(headers.length)])
  const frame = Buffer.concat([lengths, encodeNumber(crc32(lengths)), headers, body])
  return Buffer.concat([frame, encodeNumber(crc32(frame))])
}

function encodeHeader(name: string, value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(value))
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([stringType]),
    length,
    Buffer.from(value),
  ])
}

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
