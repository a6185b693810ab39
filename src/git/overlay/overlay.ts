import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import type { CommitTree } from '../trees/commit-tree.ts'
import { isLfsPointer } from '../trees/lfs-pointer.ts'
import { OverlayRules } from './overlay-rules.ts'
import { checkRepositoryPath, quotePath } from '../repository-path.ts'

/** What an overlay may hold. */
export interface OverlayLimits {
  /** Most files that differ from the base, deleted ones included. Default 500. */
  filesMax?: number
  /** Most bytes of one file. Default 4 MiB. */
  fileBytesMax?: number
  /** Most bytes of all files together. Default 16 MiB. */
  bytesMax?: number
  /** First parts of paths, in lower case, where nothing may be put: they stand for something else. Default none. */
  reserved?: readonly string[]
}

/** A file that differs from the base: new bytes, or a blob of the repository that was moved as it is. */
export type OverlayFile = { isExecutable: boolean } & ({ bytes: Uint8Array } | { blob: string })

export interface OverlayChange {
  /** For a deleted file, where it was. */
  path: string
  kind: 'added' | 'modified' | 'deleted' | 'renamed'
  /** Where the file was in the base; only for `renamed`, whose content may have changed as well. */
  previousPath?: string
}

/** The files as they are with the changes, at one moment; later changes do not show. */
export interface OverlaySnapshot {
  /** Names the base and that there are changes; no commit id. */
  readonly revision: string
  readonly paths: readonly string[]
  read(path: string): Promise<Uint8Array>
}

const savedFileSchema = z.object({
  path: z.string(),
  /** Where the file was in the base before it was moved; null for any other. */
  previousPath: z.string().nullable(),
  /** Null for a deleted file. */
  file: z
    .object({
      isExecutable: z.boolean(),
      content: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('text'), text: z.string() }),
        z.object({ kind: z.literal('base64'), data: z.base64() }),
        z.object({ kind: z.literal('blob'), id: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/) }),
      ]),
    })
    .nullable(),
})

/** An overlay as it is kept between the steps of a job: JSON that holds only what differs from the base. */
export const savedOverlaySchema = z.object({
  /** The revision of the tree that it lies over. */
  base: z.string(),
  files: z.array(savedFileSchema),
})

export type SavedOverlay = z.output<typeof savedOverlaySchema>

/**
 * Changes over the files of a commit, in memory. Nothing is checked out and nothing is written anywhere, so that there
 * is no place to escape to and nothing to clean up.
 *
 * Paths are relative to the subdirectory of the tree. A link inside the tree stands for the file that it leads to: what
 * is written to the link is written to that file. Submodules and files that Git LFS keeps elsewhere cannot be changed.
 *
 * Every refusal is an `AppError` `invalid_request` with a sentence that may be shown to a model as it is, and changes
 * nothing.
 */
export class Overlay {
  readonly #tree: CommitTree
  readonly #limits: Required<OverlayLimits>
  readonly #rules: OverlayRules
  /** What differs from the base; null for a deleted file. */
  readonly #files = new Map<string, OverlayFile | null>()
  /** Path of a moved file → where it was in the base. */
  readonly #origins = new Map<string, string>()

  constructor(tree: CommitTree, limits: OverlayLimits = {}) {
    this.#tree = tree
    this.#limits = {
      filesMax: limits.filesMax ?? 500,
      fileBytesMax: limits.fileBytesMax ?? 4 * 1024 * 1024,
      bytesMax: limits.bytesMax ?? 16 * 1024 * 1024,
      reserved: limits.reserved ?? [],
    }
    this.#rules = new OverlayRules(tree, this.#files)
  }

  /**
   * Takes up an overlay where `toJSON` left it.
   *
   * @throws {Error} When it lies over another commit, or names what this tree does not have.
   */
  static restore(tree: CommitTree, saved: SavedOverlay, limits: OverlayLimits = {}): Overlay {
    if (saved.base !== tree.revision) {
      throw new Error(`The saved overlay lies over ${saved.base}, and the tree is ${tree.revision}.`)
    }
    const overlay = new Overlay(tree, limits)
    for (const { path, previousPath, file } of saved.files) {
      checkRepositoryPath(path)
      overlay.#files.set(path, file === null ? null : unpackFile(file))
      if (previousPath !== null) overlay.#origins.set(path, previousPath)
    }
    return overlay
  }

  /** The commit that the overlay lies over. */
  get base(): string {
    return this.#tree.revision
  }

  /** Every file as it is now, sorted by code unit. Links are among them. */
  paths(): string[] {
    const kept = this.#tree.paths.filter((path) => this.#files.get(path) === undefined)
    const written = [...this.#files].flatMap(([path, file]) => (file === null ? [] : [path]))
    return [...kept, ...written].sort()
  }

  /** Paths as callers write them are taken: `./` before them is dropped, and one that cannot be is not there. */
  has(path: string): boolean {
    return this.#rules.has(withoutDot(path))
  }

  /** @throws {AppError} When there is no such file. */
  async read(path: string): Promise<Uint8Array> {
    const target = this.#rules.follow(this.#rules.find(withoutDot(path)))
    const file = this.#files.get(target)
    if (file === undefined || file === null) return this.#tree.read(target)
    return 'bytes' in file ? file.bytes : this.#readBlob(target, file.blob)
  }

  /**
   * Writes a whole file, new or there already. A file that is there keeps its mode; a new one is not executable. Bytes
   * that are those of the base are no change.
   */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    const target = this.#rules.findTarget(this.#checkPlace(path))
    if (bytes.length > this.#limits.fileBytesMax) {
      throw refuse(
        `${quotePath(target)} would have ${bytes.length} bytes, and at most ${this.#limits.fileBytesMax} are taken. Split it.`,
      )
    }
    await this.#refusePointers(target, bytes)
    const isExecutable = this.#find(target)?.isExecutable ?? false
    const base = this.#tree.find(target)
    const isSame = base?.linkTarget === null && equalBytes(await this.#tree.read(target), bytes)
    // What was read may lie behind what another call has written meanwhile, so that the rules are asked again.
    this.#rules.findTarget(target)
    this.#change([[target, isSame && base.isExecutable === isExecutable ? undefined : { isExecutable, bytes }]])
  }

  /** Deleting a link leaves the file that it leads to; a file that a link leads to cannot be deleted before the link. */
  delete(path: string): void {
    const found = this.#rules.find(withoutDot(path))
    this.#rules.refuseLinked(found, 'deleted')
    this.#change([[found, this.#tree.find(found) === null ? undefined : null]])
    this.#origins.delete(found)
  }

  /** Moves a file with its content and mode to a path where no file is. */
  async move(from: string, to: string): Promise<void> {
    const source = this.#rules.find(withoutDot(from))
    if (this.#isLink(source)) {
      throw refuse(
        `${quotePath(source)} is a link to ${quotePath(this.#rules.follow(source))}. Move that file instead.`,
      )
    }
    const target = this.#checkPlace(to)
    if (source === target) return
    await this.#refusePointers(source, new Uint8Array())
    this.#rules.refuseLinked(source, 'moved')
    this.#rules.refuseTaken(target, source)
    const file = this.#find(source)
    if (file === null) throw refuse(`There is no file ${quotePath(source)}. List the files to find its path.`)
    const origin = this.#origins.get(source) ?? (this.#tree.find(source) === null ? null : source)
    this.#change([
      [source, this.#tree.find(source) === null ? undefined : null],
      [target, this.#isBase(target, file) ? undefined : file],
    ])
    this.#origins.delete(source)
    if (origin !== null && origin !== target && this.#files.has(target)) this.#origins.set(target, origin)
  }

  /** What differs from the base, sorted by path; nothing when all is as it was. */
  changes(): OverlayChange[] {
    const movedAway = new Set<string>()
    const changes: OverlayChange[] = []
    for (const [path, file] of this.#files) {
      if (file === null) continue
      const origin = this.#origins.get(path)
      const isMove = origin !== undefined && this.#files.get(origin) === null && !movedAway.has(origin)
      if (this.#tree.find(path) !== null) changes.push({ path, kind: 'modified' })
      else if (!isMove) changes.push({ path, kind: 'added' })
      else {
        movedAway.add(origin)
        changes.push({ path, kind: 'renamed', previousPath: origin })
      }
    }
    for (const [path, file] of this.#files) {
      if (file === null && !movedAway.has(path)) changes.push({ path, kind: 'deleted' })
    }
    return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** Every path that differs from the base with what it holds now, null where it is deleted; for writing the commit. */
  writtenFiles(): ReadonlyMap<string, OverlayFile | null> {
    return new Map(this.#files)
  }

  /** The files as they are now, for what reads a whole site. Valid while the tree is open. */
  snapshot(): OverlaySnapshot {
    const frozen = new Overlay(this.#tree, this.#limits)
    for (const [path, file] of this.#files) frozen.#files.set(path, file)
    return {
      revision: `${this.base}+${this.#files.size}`,
      paths: frozen.paths(),
      read: (path) => frozen.read(path),
    }
  }

  /** Keeps the text of a text as it is, so that checkpoints can be read. */
  toJSON(): SavedOverlay {
    const files = [...this.#files].map(([path, file]) => ({
      path,
      previousPath: this.#origins.get(path) ?? null,
      file: file === null ? null : packFile(file),
    }))
    return { base: this.base, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) }
  }

  /** @throws {AppError} for a path where no file may be put. */
  #checkPlace(path: string): string {
    const checked = checkRepositoryPath(path)
    const [first = ''] = checked.split('/')
    if (!this.#limits.reserved.includes(first.toLowerCase())) return checked
    throw refuse(`${quotePath(checked)} cannot be written: what is under ${quotePath(first)} can only be read.`)
  }

  #isLink(path: string): boolean {
    return !this.#files.has(path) && (this.#tree.find(path)?.linkTarget ?? null) !== null
  }

  /** The file at a path that is no link; null when there is none. */
  #find(path: string): OverlayFile | null {
    const file = this.#files.get(path)
    if (file !== undefined) return file
    const base = this.#tree.find(path)
    return base === null ? null : { isExecutable: base.isExecutable, blob: base.id }
  }

  #isBase(path: string, file: OverlayFile): boolean {
    const base = this.#tree.find(path)
    const isBlob = base !== null && base.linkTarget === null && 'blob' in file && file.blob === base.id
    return isBlob && base.isExecutable === file.isExecutable
  }

  /** All of it or, over a limit, nothing. Undefined stands for a path that is as in the base again. */
  #change(files: readonly [path: string, file: OverlayFile | null | undefined][]): void {
    const after = new Map(this.#files)
    for (const [path, file] of files) {
      if (file === undefined) after.delete(path)
      else after.set(path, file)
    }
    this.#checkLimits(after)
    for (const [path, file] of files) {
      if (file === undefined) this.#files.delete(path)
      else this.#files.set(path, file)
    }
  }

  #checkLimits(files: ReadonlyMap<string, OverlayFile | null>): void {
    const { filesMax, bytesMax } = this.#limits
    const rest = 'Finish with what is done, and do the rest in another change.'
    if (files.size > filesMax) throw refuse(`More than ${filesMax} files would change. ${rest}`)
    let bytes = 0
    for (const file of files.values()) bytes += file !== null && 'bytes' in file ? file.bytes.length : 0
    if (bytes > bytesMax) throw refuse(`The changed files would have more than ${bytesMax} bytes. ${rest}`)
  }

  /** What a pointer stands for is not in the repository, so that neither its text nor new content can take its place. */
  async #refusePointers(path: string, bytes: Uint8Array): Promise<void> {
    const isPointer = this.#tree.find(path) !== null && isLfsPointer(await this.#tree.read(path))
    if (!isPointer && !isLfsPointer(bytes)) return
    throw refuse(
      `${quotePath(path)} is kept by Git LFS, outside of the repository, and cannot be changed here. Leave it as it is.`,
    )
  }

  /** A blob that was moved is found by the path that it had. */
  async #readBlob(path: string, id: string): Promise<Uint8Array> {
    const origin =
      this.#origins.get(path) ?? this.#tree.paths.find((candidate) => this.#tree.find(candidate)?.id === id)
    if (origin === undefined) throw new Error(`The blob ${id} of ${path} is not in the base.`)
    return this.#tree.read(origin)
  }
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.\/)+/, '')
}

function refuse(message: string): AppError {
  return new AppError('invalid_request', message)
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(b)
}

type PackedFile = NonNullable<SavedOverlay['files'][number]['file']>

function packFile(file: OverlayFile): PackedFile {
  const { isExecutable } = file
  if ('blob' in file) return { isExecutable, content: { kind: 'blob', id: file.blob } }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file.bytes)
    return { isExecutable, content: { kind: 'text', text } }
  } catch {
    return { isExecutable, content: { kind: 'base64', data: Buffer.from(file.bytes).toString('base64') } }
  }
}

function unpackFile({ isExecutable, content }: PackedFile): OverlayFile {
  if (content.kind === 'blob') return { isExecutable, blob: content.id }
  const bytes = content.kind === 'text' ? new TextEncoder().encode(content.text) : Buffer.from(content.data, 'base64')
  return { isExecutable, bytes: new Uint8Array(bytes) }
}
