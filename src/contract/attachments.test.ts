import { describe, expect, it } from 'vitest'
import { attachmentBounds, readAttachments } from './attachments.ts'

const gif = Buffer.from('GIF89a\x20\x03\x58\x02\0', 'latin1')
const dataUrl = (type: string, bytes: Buffer | string) => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
const part = (mediaType: string, bytes: Buffer | string, filename = 'a.bin') => ({
  type: 'file',
  mediaType,
  filename,
  url: dataUrl(mediaType, bytes),
})
const readParts = (...parts: object[]) => readAttachments({ parts })
const readOne = (file: object) => readParts(file)[0]

describe('reads', () => {
  it('an image as what its bytes say', () => {
    expect(readOne(part('image/png', gif, 'shot.png'))).toEqual({
      kind: 'image',
      name: 'shot.png',
      mediaType: 'image/gif',
      width: 800,
      height: 600,
      bytes: new Uint8Array(gif),
    })
  })

  it.each([
    ['text/plain', 'a.txt'],
    ['text/markdown; charset=utf-8', 'a.md'],
    ['application/json', 'a'],
    ['application/x-yaml', 'a'],
    ['application/vnd.api+json', 'a'],
    ['', 'error.log'],
    ['application/octet-stream', 'settings.yml'],
  ])('text of the type %j named %j', (mediaType, filename) => {
    expect(readOne({ type: 'file', mediaType, filename, url: dataUrl('', 'Grüße') })).toMatchObject({
      kind: 'text',
      text: 'Grüße',
    })
  })

  it('text that is percent-encoded', () => {
    const url = 'data:text/plain;charset=utf-8,a%20%26%C3%BC'

    expect(readOne({ type: 'file', url })).toMatchObject({ kind: 'text', mediaType: 'text/plain', text: 'a &ü' })
  })

  it('the forms of AI SDK 4', () => {
    const message = {
      content: 'q',
      parts: [{ type: 'file', mimeType: 'image/gif', data: gif.toString('base64') }],
      experimental_attachments: [{ name: 'a.txt', contentType: 'text/plain', url: dataUrl('text/plain', 'x') }],
    }

    expect(readAttachments(message)).toMatchObject([{ kind: 'image' }, { kind: 'text', name: 'a.txt', text: 'x' }])
  })

  it('nothing else of a message', () => {
    expect(readAttachments({})).toEqual([])
    expect(readAttachments({ parts: [{ type: 'text', text: 'x' }, null, 1], experimental_attachments: 'x' })).toEqual(
      [],
    )
  })
})

describe('says why it does not read', () => {
  const big = (bytes: number) => Buffer.concat([gif, Buffer.alloc(bytes)])

  it.each<[string, object, string, RegExp]>([
    ['an address', { mediaType: 'image/png', url: 'https://a.example/x.png' }, 'image', /not fetched/],
    ['an address in a browser', { mediaType: 'image/png', url: 'blob:https://a.example/1' }, 'image', /not fetched/],
    ['an image that is none', part('image/png', 'x'), 'image', /only PNG, JPEG, WebP and GIF/],
    ['SVG', part('image/svg+xml', '<svg/>'), 'image', /only PNG|not/],
    ['a PDF', part('application/pdf', '%PDF-1.7'), 'file', /only PNG/],
    ['a program', part('application/octet-stream', 'MZ', 'a.exe'), 'file', /only PNG/],
    ['text that is not UTF-8', part('text/plain', Buffer.from([0xff, 0xfe, 0x41])), 'file', /not UTF-8/],
    ['text with NUL', part('text/plain', 'a\0b'), 'file', /not UTF-8/],
    ['an empty file', part('text/plain', ''), 'file', /no data/],
    ['a broken URL', { mediaType: 'text/plain', url: 'data:text/plain;base64' }, 'file', /no data/],
    ['no URL', { mediaType: 'image/png' }, 'image', /no data/],
    ['a large image', part('image/gif', big(attachmentBounds.imageBytes)), 'image', /larger than 3 MiB/],
    ['a large text', part('text/plain', 'x'.repeat(attachmentBounds.textBytes + 1)), 'file', /larger than 64 KiB/],
    ['a wide image', part('image/gif', Buffer.from('GIF89a\xff\xff\x01\0', 'latin1')), 'image', /8,000 pixels/],
  ])('%s', (_, file, noun, reason) => {
    expect(readOne({ type: 'file', ...file })).toMatchObject({
      kind: 'unread',
      noun,
      reason: expect.stringMatching(reason) as unknown,
    })
  })

  it('more images, text and files than are read', () => {
    const text = part('text/plain', 'x'.repeat(60 * 1024))
    const read = readParts(...Array.from({ length: 5 }, () => part('image/gif', gif)), text, text, text, text)

    expect(read.map((file) => (file.kind === 'unread' ? file.reason : file.kind))).toEqual([
      'image',
      'image',
      'image',
      'image',
      'at most 4 images are read',
      'text',
      'all text files together are larger than 96 KiB',
      'all text files together are larger than 96 KiB',
      'at most 8 files are read, and 9 were attached',
    ])
  })

  it('the first of too many files, for all of them', () => {
    const message = { experimental_attachments: Array.from({ length: 15_000 }, () => ({ name: 'a.txt' })) }

    const read = readAttachments(message)

    expect(read).toHaveLength(attachmentBounds.files + 1)
    expect(read.at(-1)).toMatchObject({ reason: 'at most 8 files are read, and 15000 were attached' })
  })
})

it('keeps no Markdown, line break or hidden character in a name', () => {
  expect(readOne(part('image/gif', gif, 'a](https://x)\n`b`\u202e*.png'))?.name).toBe('a https x b .png')
  expect(readOne(part('image/gif', gif, ''))?.name).toBe('unnamed')
  expect(readOne(part('image/gif', gif, `${'x'.repeat(500)}.png`))?.name).toHaveLength(80)
})
