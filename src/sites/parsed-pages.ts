import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { Finding } from '../content/site-page.ts'

/** What came out of a page, and what else it was made from. */
export interface ParsedPage {
  markdown: string
  findings: Finding[]
  /** Files that the page takes in. */
  imported: string[]
  /** Every other file that was looked for, and a digest of it; null where there was none. */
  dependencies: [file: string, digest: string | null][]
}

/** Bytes that wait to be written: what is lost when the thread is ended. */
const unwrittenBytesMax = 128 * 1024

/** A larger file is not read back: the next run parses anew and begins a smaller one. */
const fileBytesMax = 1024 ** 3

const digestBytes = 32
const frameHeadBytes = 4 + digestBytes

/**
 * The parsed pages of one site, kept on the disk between runs and through a run that was ended.
 *
 * The file is a row of frames: length, SHA-256, and a batch of entries as `v8.serialize` writes them. Frames are only
 * appended; one that is cut off or damaged ends the reading, because everything here can be made again.
 */
export class ParsedPages {
  readonly #file: string
  readonly #code: string
  readonly #known: Map<string, ParsedPage>
  readonly #used = new Map<string, ParsedPage>()
  #unwritten: [string, ParsedPage][] = []
  #unwrittenBytes = 0

  /** @param code Names the code that parses: what another code made is not used. */
  constructor(file: string, code: string) {
    this.#file = file
    this.#code = code
    this.#known = readEntries(file, code)
    if (this.#known.size === 0) this.#begin([])
  }

  get(key: string): ParsedPage | null {
    return this.#known.get(key) ?? null
  }

  /** Notes that this run needs an entry, so that it is kept. */
  use(key: string, page: ParsedPage): void {
    this.#used.set(key, page)
  }

  add(key: string, page: ParsedPage): void {
    this.#known.set(key, page)
    this.#used.set(key, page)
    this.#unwritten.push([key, page])
    this.#unwrittenBytes += page.markdown.length
    if (this.#unwrittenBytes >= unwrittenBytesMax) this.#write()
  }

  /** At the end of a run: keeps what it used and drops the rest. */
  finish(): void {
    if (this.#used.size < this.#known.size) this.#begin([...this.#used])
    else if (this.#unwritten.length > 0) this.#write()
  }

  #write(): void {
    appendFileSync(this.#file, toFrame({ code: this.#code, entries: this.#unwritten }))
    this.#unwritten = []
    this.#unwrittenBytes = 0
  }

  /** Renamed into place, so that the file before stays whole until this one is. */
  #begin(entries: [string, ParsedPage][]): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 })
    const staged = `${this.#file}.${process.pid}.unfinished`
    writeFileSync(staged, toFrame({ code: this.#code, entries }), { mode: 0o600 })
    renameSync(staged, this.#file)
    this.#unwritten = []
    this.#unwrittenBytes = 0
  }
}

interface Batch {
  code: string
  entries: [string, ParsedPage][]
}

function toFrame(batch: Batch): Buffer {
  const body = serialize(batch)
  const head = Buffer.alloc(4)
  head.writeUInt32LE(body.length)
  return Buffer.concat([head, digestOf(body), body])
}

function readEntries(file: string, code: string): Map<string, ParsedPage> {
  const known = new Map<string, ParsedPage>()
  for (const batch of readBatches(file)) {
    if (batch.code !== code) break
    for (const [key, page] of batch.entries) known.set(key, page)
  }
  return known
}

function* readBatches(file: string): Generator<Batch> {
  const bytes = readBytes(file)
  for (let start = 0; start + frameHeadBytes <= bytes.length;) {
    const bodyStart = start + frameHeadBytes
    const body = bytes.subarray(bodyStart, bodyStart + bytes.readUInt32LE(start))
    if (!digestOf(body).equals(bytes.subarray(start + 4, bodyStart))) return
    // Written by `toFrame`, as the digest says.
    yield deserialize(body) as Batch
    start = bodyStart + body.length
  }
}

function readBytes(file: string): Buffer {
  try {
    const bytes = readFileSync(file)
    return bytes.length > fileBytesMax ? Buffer.alloc(0) : bytes
  } catch {
    // The first run has none.
    return Buffer.alloc(0)
  }
}

function digestOf(body: Buffer): Buffer {
  return createHash('sha256').update(body).digest()
}
