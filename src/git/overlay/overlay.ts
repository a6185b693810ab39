import { z } from 'zod'
import { refusal } from '../../contract/app-error.ts'
import type { CommitTree } from '../trees/commit-tree.ts'
import { isLfsPointer } from '../trees/lfs-pointer.ts'
import { OverlayRules } from './overlay-rules.ts'
import { checkRepositoryPath, quotePath } from '../repository-path.ts'
import { isObjectId } from '../object-id.ts'
import { decodeText } from '../trees/decode-text.ts'

/** Limits of an overlay's contents. */
export interface OverlayLimits {
  /** Most files that differ from the base, including deleted ones. Default 500. */
  filesMax?: number
  /** Most bytes per file. Default 4 MiB. */
  fileBytesMax?: number
  /** Most bytes of all files together. Default 16 MiB. */
  bytesMax?: number
  /** First path segments, in lower case, below which nothing may be written. None by default. */
  reserved?: readonly string[]
}

/** A file that differs from the base: new bytes, or an unchanged blob that was moved. */
export type OverlayFile = { isExecutable: boolean } & ({ bytes: Uint8Array } | { blob: string })

export interface OverlayChange {
  /** The former path of a deleted file. */
  path: string
  kind: 'added' | 'modified' | 'deleted' | 'renamed'
  /** Path in the base; only for `renamed`, whose content may have changed too. */
  previousPath?: string
}

/** The files with the changes at one moment; later changes do not show. */
export interface OverlaySnapshot {
  /** Not a commit id: identifies the base and the number of changed files. */
  readonly revision: string
  readonly paths: readonly string[]
  read(path: string): Promise<Uint8Array>
}

/** A moment in the life of an overlay. */
export interface OverlayMark {
  /** Paths whose files differ from those of that moment, sorted. */
  changedPaths(): string[]
  /** Undoes all later changes. */
  restore(): void
}

const savedFileSchema = z.object({
  path: z.string(),
  /** Path in the base if the file was moved, else null. */
  previousPath: z.string().nullable(),
  /** Null for a deleted file. */
  file: z
    .object({
      isExecutable: z.boolean(),
      content: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('text'), text: z.string() }),
        z.object({ kind: z.literal('base64'), data: z.base64() }),
        z.object({ kind: z.literal('blob'), id: z.string().refine(isObjectId) }),
      ]),
    })
    .nullable(),
})

/** A serialized overlay, as stored between the steps of a job: JSON with only the differences from the base. */
export const savedOverlaySchema = z.object({
  /** Revision of the base tree. */
  base: z.string(),
  files: z.array(savedFileSchema),
})

export type SavedOverlay = z.output<typeof savedOverlaySchema>

/**
 * In-memory changes on top of the files of a commit. Nothing is checked out or written anywhere, so there is nothing to
 * escape to or clean up.
 *
 * Paths are relative to the subdirectory of the tree. A link inside the tree represents its target: writing to the link
 * writes to the target. Submodules and Git LFS files cannot be changed.
 *
 * Every refusal is an `AppError` `invalid_request` that changes nothing and whose message may be shown to a model.
 */
export class Overlay {
  readonly #tree: CommitTree
  readonly #limits: Required<OverlayLimits>
  readonly #rules: OverlayRules
  /** Files that differ from the base; null if deleted. */
  readonly #files = new Map<string, OverlayFile | null>()
  /** New path of a moved file → path in the base. */
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
   * Restores an overlay from `toJSON`.
   *
   * @throws {Error} if it is based on another commit, or references something this tree lacks.
   */
  static restore(tree: CommitTree, saved: SavedOverlay, limits: OverlayLimits = {}): Overlay {
    if (saved.base !== tree.revision) {
      throw new Error(`The saved overlay is based on ${saved.base}, but the tree is ${tree.revision}.`)
    }
    const overlay = new Overlay(tree, limits)
    for (const { path, previousPath, file } of saved.files) {
      checkRepositoryPath(path)
      overlay.#files.set(path, file === null ? null : unpackFile(file))
      if (previousPath !== null) overlay.#origins.set(path, previousPath)
    }
    return overlay
  }

  /** Id of the base commit. */
  get base(): string {
    return this.#tree.revision
  }

  /** All current files including links, sorted by code unit. */
  paths(): string[] {
    const kept = this.#tree.paths.filter((path) => this.#files.get(path) === undefined)
    const written = [...this.#files].flatMap(([path, file]) => (file === null ? [] : [path]))
    return [...kept, ...written].sort()
  }

  /** Accepts paths as callers write them: drops a leading `./`, and returns false for invalid ones. */
  has(path: string): boolean {
    return this.#rules.has(withoutDot(path))
  }

  /** @throws {AppError} if there is no such file. */
  async read(path: string): Promise<Uint8Array> {
    const target = this.#rules.follow(this.#rules.find(withoutDot(path)))
    const file = this.#files.get(target)
    if (file === undefined || file === null) return this.#tree.read(target)
    return 'bytes' in file ? file.bytes : this.#readBlob(target, file.blob)
  }

  /**
   * Writes a whole file, new or existing. An existing file keeps its mode; a new one is not executable. Writing the
   * bytes of the base counts as no change.
   */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    const target = this.#rules.findTarget(this.#checkPlace(path))
    if (bytes.length > this.#limits.fileBytesMax) {
      throw refusal(
        `${quotePath(target)} would have ${bytes.length} bytes, and at most ${this.#limits.fileBytesMax} are taken. Split it.`,
      )
    }
    await this.#refusePointers(target, bytes)
    const isExecutable = this.#find(target)?.isExecutable ?? false
    const base = this.#tree.find(target)
    const isSame = base?.linkTarget === null && equalBytes(await this.#tree.read(target), bytes)
    // Another call may have written during the await, so the rules are checked again.
    this.#rules.findTarget(target)
    this.#change([[target, isSame && base.isExecutable === isExecutable ? undefined : { isExecutable, bytes }]])
  }

  /** Deleting a link keeps its target; a link's target cannot be deleted before the link. */
  delete(path: string): void {
    const found = this.#rules.find(withoutDot(path))
    this.#rules.refuseLinked(found, 'deleted')
    this.#change([[found, this.#tree.find(found) === null ? undefined : null]])
    this.#origins.delete(found)
  }

  /** Moves a file with its content and mode to an unused path. */
  async move(from: string, to: string): Promise<void> {
    const source = this.#rules.find(withoutDot(from))
    if (this.#isLink(source)) {
      throw refusal(
        `${quotePath(source)} is a link to ${quotePath(this.#rules.follow(source))}. Move that file instead.`,
      )
    }
    const target = this.#checkPlace(to)
    if (source === target) return
    await this.#refusePointers(source, new Uint8Array())
    this.#rules.refuseLinked(source, 'moved')
    this.#rules.refuseTaken(target, source)
    const file = this.#find(source)
    if (file === null) throw refusal(`There is no file ${quotePath(source)}. List the files to find its path.`)
    const origin = this.#origins.get(source) ?? (this.#tree.find(source) === null ? null : source)
    this.#change([
      [source, this.#tree.find(source) === null ? undefined : null],
      [target, this.#isBase(target, file) ? undefined : file],
    ])
    this.#origins.delete(source)
    if (origin !== null && origin !== target && this.#files.has(target)) this.#origins.set(target, origin)
  }

  /** Differences from the base, sorted by path. */
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

  /** Takes these changes back. */
  reset(changes: readonly OverlayChange[]): void {
    this.#change(
      changes.flatMap(({ path, previousPath = path }) => [
        [path, undefined] as const,
        [previousPath, undefined] as const,
      ]),
    )
    for (const { path } of changes) this.#origins.delete(path)
  }

  /** Remembers the current files, to name or undo what changes from here on. */
  remember(): OverlayMark {
    const files = new Map(this.#files)
    const origins = new Map(this.#origins)
    return {
      changedPaths: () => {
        const paths = new Set([...files.keys(), ...this.#files.keys()])
        return [...paths].filter((path) => files.get(path) !== this.#files.get(path)).sort()
      },
      restore: () => {
        replaceEntries(this.#files, files)
        replaceEntries(this.#origins, origins)
      },
    }
  }

  /** All paths that differ from the base with their current files, null if deleted; used to write the commit. */
  writtenFiles(): ReadonlyMap<string, OverlayFile | null> {
    return new Map(this.#files)
  }

  /** The current files, for readers of a whole site. Valid while the tree is open. */
  snapshot(): OverlaySnapshot {
    const frozen = new Overlay(this.#tree, this.#limits)
    for (const [path, file] of this.#files) frozen.#files.set(path, file)
    return {
      revision: `${this.base}+${this.#files.size}`,
      paths: frozen.paths(),
      read: (path) => frozen.read(path),
    }
  }

  /** Stores text as plain text, so that checkpoints are readable. */
  toJSON(): SavedOverlay {
    return this.#save([...this.#files])
  }

  /**
   * What a check of these paths needs: their files, where they come from, and every file that has hardly any text, because
   * such files may have been emptied one by one. All files if some are gone, because any of them may have named those.
   */
  pick(paths: readonly string[]): SavedOverlay {
    const wanted = new Set(paths.flatMap((path) => [path, this.#origins.get(path) ?? path]))
    const files = [...this.#files]
    if (files.some(([, file]) => file === null)) return this.#save(files)
    return this.#save(files.filter(([path, file]) => wanted.has(path) || isTiny(file)))
  }

  #save(entries: readonly [path: string, file: OverlayFile | null][]): SavedOverlay {
    const files = entries.map(([path, file]) => ({
      path,
      previousPath: this.#origins.get(path) ?? null,
      file: file === null ? null : packFile(file),
    }))
    return { base: this.base, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) }
  }

  /** @throws {AppError} for a path that must not be written. */
  #checkPlace(path: string): string {
    const checked = checkRepositoryPath(path)
    const [first = ''] = checked.split('/')
    if (!this.#limits.reserved.includes(first.toLowerCase())) return checked
    throw refusal(`${quotePath(checked)} cannot be written: what is under ${quotePath(first)} can only be read.`)
  }

  #isLink(path: string): boolean {
    return !this.#files.has(path) && (this.#tree.find(path)?.linkTarget ?? null) !== null
  }

  /** The file at a path that is not a link, or null. */
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

  /** All or, over a limit, nothing. Undefined resets a path to the base. */
  #change(files: readonly (readonly [path: string, file: OverlayFile | null | undefined])[]): void {
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
    if (files.size > filesMax) throw refusal(`More than ${filesMax} files would change. ${rest}`)
    let bytes = 0
    for (const file of files.values()) bytes += file !== null && 'bytes' in file ? file.bytes.length : 0
    if (bytes > bytesMax) throw refusal(`The changed files would have more than ${bytesMax} bytes. ${rest}`)
  }

  /** The content behind a pointer is not in the repository, so neither the pointer nor new content can replace it. */
  async #refusePointers(path: string, bytes: Uint8Array): Promise<void> {
    const isPointer = this.#tree.find(path) !== null && isLfsPointer(await this.#tree.read(path))
    if (!isPointer && !isLfsPointer(bytes)) return
    throw refusal(
      `${quotePath(path)} is kept by Git LFS, outside of the repository, and cannot be changed here. Leave it as it is.`,
    )
  }

  /** A moved blob is read through its former path. */
  async #readBlob(path: string, id: string): Promise<Uint8Array> {
    const origin =
      this.#origins.get(path) ?? this.#tree.paths.find((candidate) => this.#tree.find(candidate)?.id === id)
    if (origin === undefined) throw new Error(`The blob ${id} of ${path} is not in the base.`)
    return this.#tree.read(origin)
  }
}

function replaceEntries<Value>(map: Map<string, Value>, entries: ReadonlyMap<string, Value>): void {
  map.clear()
  for (const [key, value] of entries) map.set(key, value)
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.\/)+/, '')
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(b)
}

type PackedFile = NonNullable<SavedOverlay['files'][number]['file']>

const tinyBytesMax = 300
const isTiny = (file: OverlayFile | null) => file !== null && 'bytes' in file && file.bytes.length <= tinyBytesMax

function packFile(file: OverlayFile): PackedFile {
  const { isExecutable } = file
  if ('blob' in file) return { isExecutable, content: { kind: 'blob', id: file.blob } }
  const text = decodeText(file.bytes)
  if (text !== null) return { isExecutable, content: { kind: 'text', text } }
  return { isExecutable, content: { kind: 'base64', data: Buffer.from(file.bytes).toString('base64') } }
}

function unpackFile({ isExecutable, content }: PackedFile): OverlayFile {
  if (content.kind === 'blob') return { isExecutable, blob: content.id }
  const bytes = content.kind === 'text' ? new TextEncoder().encode(content.text) : Buffer.from(content.data, 'base64')
  return { isExecutable, bytes: new Uint8Array(bytes) }
}
