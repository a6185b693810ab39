import { hash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { crc32 } from 'node:zlib'
import type { FlatPage, LoadedFile, Remember } from '../../content/flatten/source-library.ts'
import type { Finding } from '../../content/site-page.ts'

/** The parsed result of a page, and everything else it depends on. */
export interface ParsedPage extends FlatPage {
  findings: Finding[]
  /** Files that the page includes. */
  imported: string[]
  /** Every other file that was looked up, with its digest; null if it did not exist. */
  dependencies: [file: string, digest: string | null][]
  /** Each link as written, the page it is on, and its target. */
  links: [url: string, file: string, path: string, target: string | null][]
}

/** The content of a page's file as it was read, and the findings about it. */
export interface KeptFile extends LoadedFile {
  findings: Finding[]
}

/** Bytes buffered before a write, which are lost if the process is killed. */
const unwrittenBytesMax = 128 * 1024

/** A larger file is not read back: the next run parses everything and starts a smaller one. */
const fileBytesMax = 1024 ** 3

/** Characters of page files kept in memory; files beyond that are read again. */
const fileCharsMax = 64 * 1024 * 1024

/** Of all entries; below this the file is written again without the others. */
const usedShareMin = 0.8

const frameHeadBytes = 8

/**
 * The parsed pages of one site and what was read from them, cached on disk between runs, including runs that were interrupted.
 *
 * The file is a sequence of frames: length, CRC-32, and a batch of entries serialized by `v8.serialize`. Frames are
 * only appended; reading stops at a truncated or damaged one, because everything here can be recreated.
 */
export class ParsedPages {
  readonly #file: string
  readonly #code: string
  readonly #known: Kept
  readonly #used = nothingKept()
  #unwritten = nothingKept()
  readonly #digests = new Map<string, string>()
  #unwrittenBytes = 0
  #fileChars = 0

  /** @param code Identifies the parsing code: results of other code are not used. */
  constructor(file: string, code: string) {
    this.#file = file
    this.#code = code
    const { known, isWhole } = readEntries(file, code)
    this.#known = known
    // What is appended after damage would not be found again.
    if (!isWhole) this.#begin(known)
  }

  get(key: string): ParsedPage | null {
    return this.#known.pages.get(key) ?? null
  }

  /** Marks an entry as used by this run, so that it is kept. */
  use(key: string, page: ParsedPage): void {
    this.#used.pages.set(key, page)
  }

  add(key: string, page: ParsedPage): void {
    this.#known.pages.set(key, page)
    this.#used.pages.set(key, page)
    this.#unwritten.pages.set(key, page)
    this.#note(page.markdown.length)
  }

  hasFile(key: string): boolean {
    return this.#known.files.has(key)
  }

  /** The cached file, marked as used; null if it is not cached. */
  useFile(key: string): KeptFile | null {
    const found = this.#known.files.get(key) ?? null
    if (found !== null && this.#reserveRoom(key, found)) this.#used.files.set(key, found)
    return found
  }

  addFile(key: string, file: KeptFile): void {
    if (!this.#reserveRoom(key, file)) return
    this.#known.files.set(key, file)
    this.#used.files.set(key, file)
    this.#unwritten.files.set(key, file)
    this.#note(file.body.length)
  }

  readonly remember: Remember = <Result>(kind: string, texts: readonly string[], make: () => Result) => {
    const key = [kind, ...texts.map((text) => this.digest(text))].join(' ')
    const isKnown = this.#known.results.has(key)
    // Kept under the kind, by the same code.
    const result = isKnown ? (this.#known.results.get(key) as Result) : make()
    this.#used.results.set(key, result)
    if (isKnown) return result
    this.#known.results.set(key, result)
    this.#unwritten.results.set(key, result)
    return result
  }

  /** At the end of a run: keeps the entries it used, and drops the rest once that is worth writing the file again. */
  finish(): void {
    if (countEntries(this.#used) < countEntries(this.#known) * usedShareMin) this.#begin(this.#used)
    else if (countEntries(this.#unwritten) > 0) this.#write()
  }

  /** Each text of a run is digested once. */
  digest(text: string): string {
    const known = this.#digests.get(text)
    if (known !== undefined) return known
    const digest = hash('sha256', text, 'base64url')
    this.#digests.set(text, digest)
    return digest
  }

  #reserveRoom(key: string, { body }: KeptFile): boolean {
    if (this.#used.files.has(key)) return true
    if (this.#fileChars + body.length > fileCharsMax) return false
    this.#fileChars += body.length
    return true
  }

  #note(bytes: number): void {
    this.#unwrittenBytes += bytes
    if (this.#unwrittenBytes >= unwrittenBytesMax) this.#write()
  }

  #write(): void {
    appendFileSync(this.#file, toFrame({ ...this.#unwritten, code: this.#code }))
    this.#unwritten = nothingKept()
    this.#unwrittenBytes = 0
  }

  /** Replaced by a rename, so that the old file stays intact until this one is complete. */
  #begin(kept: Kept): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 })
    const staged = `${this.#file}.${process.pid}.unfinished`
    writeFileSync(staged, toFrame({ ...kept, code: this.#code }), { mode: 0o600 })
    renameSync(staged, this.#file)
    this.#unwritten = nothingKept()
    this.#unwrittenBytes = 0
  }
}

interface Kept {
  pages: Map<string, ParsedPage>
  files: Map<string, KeptFile>
  /** By kind and digest of the text that they were made of. */
  results: Map<string, unknown>
}

const nothingKept = (): Kept => ({ pages: new Map(), files: new Map(), results: new Map() })

interface Batch extends Kept {
  code: string
}

function countEntries({ pages, files, results }: Kept): number {
  return pages.size + files.size + results.size
}

function toFrame(batch: Batch): Buffer {
  const body = serialize(batch)
  const head = Buffer.alloc(frameHeadBytes)
  head.writeUInt32LE(body.length)
  head.writeUInt32LE(crc32(body), 4)
  return Buffer.concat([head, body])
}

/** @returns The entries before anything that is damaged or of other code, and whether they are the whole file. */
function readEntries(file: string, code: string): { known: Kept; isWhole: boolean } {
  const known = nothingKept()
  const bytes = readBytes(file)
  let start = 0
  for (let body = readFrame(bytes, start); body !== null; body = readFrame(bytes, start)) {
    // Written by `toFrame`: the checksum matches.
    const batch = deserialize(body) as Batch
    if (batch.code !== code) break
    for (const [key, page] of batch.pages) known.pages.set(key, page)
    for (const [key, loaded] of batch.files) known.files.set(key, loaded)
    for (const [key, result] of batch.results) known.results.set(key, result)
    start += frameHeadBytes + body.length
  }
  return { known, isWhole: start > 0 && start === bytes.length }
}

/** Null if it is damaged. Zeros, as a power cut leaves them, would be an empty frame with the right checksum. */
function readFrame(bytes: Buffer, start: number): Buffer | null {
  const bodyStart = start + frameHeadBytes
  if (bodyStart >= bytes.length) return null
  const body = bytes.subarray(bodyStart, bodyStart + bytes.readUInt32LE(start))
  return body.length > 0 && crc32(body) === bytes.readUInt32LE(start + 4) ? body : null
}

function readBytes(file: string): Buffer {
  try {
    const bytes = readFileSync(file)
    return bytes.length > fileBytesMax ? Buffer.alloc(0) : bytes
  } catch {
    // The first run has no file.
    return Buffer.alloc(0)
  }
}
