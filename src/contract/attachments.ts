import { readImage } from './read-image.ts'
import { toStorableText } from './storable-json.ts'

/** Limits of the files of a question. The body of the request is limited as well. */
export const attachmentBounds = {
  files: 8,
  images: 4,
  imageBytes: 3 * 1024 * 1024,
  /** Maximum width and height. */
  imagePixels: 8_000,
  textBytes: 64 * 1024,
  /** Total of all text files. */
  allTextBytes: 96 * 1024,
} as const

interface AttachedFile {
  /** At most 80 characters, without Markdown syntax. */
  name: string
  mediaType: string
}
export interface AttachedImage extends AttachedFile {
  kind: 'image'
  bytes: Uint8Array
  width: number
  height: number
}
export interface AttachedText extends AttachedFile {
  kind: 'text'
  text: string
}
/** A file that is not read. `reason` ends the sentence “The image was not read: …”. */
export interface UnreadFile extends AttachedFile {
  kind: 'unread'
  noun: 'image' | 'file'
  reason: string
}
/** A file that a reader attached to the question. It is never stored. */
export type Attachment = AttachedImage | AttachedText | UnreadFile

const nameCharsMax = 80
const mediaTypeCharsMax = 100
/** Longest head of a `data:` URL. */
const headCharsMax = 300
const textTypes =
  /^text\/|^application\/(?:(?:x-)?(?:yaml|toml|sh|javascript|typescript|ndjson)|json|xml|sql|[\w.-]+\+(?:json|yaml|xml))$/
const textNames = /\.(?:txt|md|mdx|markdown|json|jsonl|ya?ml|toml|ini|conf|cfg|env|log|csv|tsv|xml)$/i
const whatIsRead = 'only PNG, JPEG, WebP and GIF images and text files are read'

/**
 * Reads the files of a message: file parts of AI SDK 5 to 7 (`url`) and 4 (`data`), and `experimental_attachments` of
 * AI SDK 4. What a file is, its bytes say. Nothing is fetched: only `data:` URLs are read.
 */
export function readAttachments(message: Readonly<Record<string, unknown>>): Attachment[] {
  const given = [
    ...listOf(message['parts']).filter(({ type }) => type === 'file'),
    ...listOf(message['experimental_attachments']),
  ]
  const counts = { images: 0, textBytes: 0 }
  const { files } = attachmentBounds
  // One extra entry represents all surplus ones, because each is named in the answer and in the stored question.
  return given.slice(0, files + 1).map((file, index) => {
    const { mediaType, name, url } = describeFile(file)
    if (index === files)
      return refuse({ name, mediaType }, `at most ${files} files are read, and ${given.length} were attached`)
    return countIn(counts, readFile({ name, mediaType }, url))
  })
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []
}

function describeFile(file: Record<string, unknown>) {
  const url = readString(file['url'] ?? file['data'])
  const claimed = readString(file['mediaType'] ?? file['mimeType'] ?? file['contentType']) || typeOfDataUrl(url)
  const mediaType = claimed.slice(0, mediaTypeCharsMax).toLowerCase().replace(/;.*$/s, '').trim()
  return {
    url,
    mediaType: /^[\w.+-]+\/[\w.+*-]+$/.test(mediaType) ? mediaType : 'unknown type',
    name: cleanName(readString(file['filename'] ?? file['name'])),
  }
}

function readString(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Names appear in answers, prompts and stored questions. */
function cleanName(name: string): string {
  const plain = toStorableText(name.slice(-nameCharsMax * 2)).replace(/[^\p{L}\p{N}\p{M} ._+-]+/gu, ' ')
  return plain.replace(/ +/g, ' ').trim().slice(-nameCharsMax).toWellFormed() || 'unnamed'
}

function typeOfDataUrl(url: string): string {
  return /^data:([^;,]{1,100})/i.exec(url.slice(0, headCharsMax))?.[1] ?? ''
}

function refuse(file: AttachedFile, reason: string): UnreadFile {
  return { ...file, kind: 'unread', noun: file.mediaType.startsWith('image/') ? 'image' : 'file', reason }
}

function readFile(file: AttachedFile, url: string): Attachment {
  if (/^(?!data:)[a-z][a-z\d+.-]*:/i.test(url.slice(0, headCharsMax))) {
    return refuse(file, 'addresses are not fetched, so send the file with the question')
  }
  const bytes = decode(url)
  if (bytes === 'too large') return refuse(file, `it is larger than ${attachmentBounds.imageBytes / 1024 / 1024} MiB`)
  if (bytes === null || bytes.length === 0) return refuse(file, 'it holds no data')
  return readImageFile(file, bytes) ?? readTextFile(file, bytes)
}

/** @param url A `data:` URL, or base64 alone, as AI SDK 4 has it in parts. */
function decode(url: string): Uint8Array | 'too large' | null {
  const comma = url.startsWith('data:') ? url.slice(0, headCharsMax).indexOf(',') : -1
  if (comma === -1 && url.startsWith('data:')) return null
  const isBase64 = comma === -1 || /;\s*base64$/i.test(url.slice(0, comma))
  if ((url.length - comma) * (isBase64 ? 0.75 : 1 / 3) > attachmentBounds.imageBytes + 4) return 'too large'
  const payload = url.slice(comma + 1)
  try {
    return new Uint8Array(isBase64 ? Buffer.from(payload, 'base64') : Buffer.from(decodeURIComponent(payload)))
  } catch {
    return null
  }
}

function readImageFile(file: AttachedFile, bytes: Uint8Array): AttachedImage | UnreadFile | null {
  const image = readImage(bytes)
  if (image === null) return null
  const { mediaType, width, height } = image
  const { imageBytes, imagePixels } = attachmentBounds
  if (bytes.length > imageBytes)
    return refuse({ ...file, mediaType }, `it is larger than ${imageBytes / 1024 / 1024} MiB`)
  if (Math.max(width, height) > imagePixels) {
    return refuse({ ...file, mediaType }, `it is wider or higher than ${imagePixels.toLocaleString('en-US')} pixels`)
  }
  return { ...file, ...image, kind: 'image', bytes }
}

function readTextFile(file: AttachedFile, bytes: Uint8Array): AttachedText | UnreadFile {
  const isNamed = file.mediaType === 'unknown type' || file.mediaType === 'application/octet-stream'
  if (!(isNamed ? textNames.test(file.name) : textTypes.test(file.mediaType))) return refuse(file, whatIsRead)
  if (bytes.length > attachmentBounds.textBytes)
    return refuse(file, `it is larger than ${attachmentBounds.textBytes / 1024} KiB`)
  const text = decodeText(bytes)
  if (text === null) return refuse(file, 'it is not UTF-8 text')
  return text.trim() === '' ? refuse(file, 'it holds no text') : { ...file, kind: 'text', text }
}

function decodeText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

/** Refuses files beyond the limits of all together. */
function countIn(counts: { images: number; textBytes: number }, file: Attachment): Attachment {
  if (file.kind === 'image' && ++counts.images > attachmentBounds.images) {
    return refuse({ name: file.name, mediaType: file.mediaType }, `at most ${attachmentBounds.images} images are read`)
  }
  if (file.kind !== 'text') return file
  const bytes = Buffer.byteLength(file.text)
  if (counts.textBytes + bytes > attachmentBounds.allTextBytes) {
    const reason = `all text files together are larger than ${attachmentBounds.allTextBytes / 1024} KiB`
    return refuse({ name: file.name, mediaType: file.mediaType }, reason)
  }
  counts.textBytes += bytes
  return file
}
