import { maskKeys } from '../../base/mask-secrets.ts'
import { refusal } from '../../contract/app-error.ts'
import { type CommitTree, openCommitTree } from '../../git/trees/commit-tree.ts'
import { decodeText } from '../../git/trees/decode-text.ts'
import { isLfsPointer } from '../../git/trees/lfs-pointer.ts'
import { quotePath } from '../../git/repository-path.ts'
import type { OpenContext } from '../../sites/context-repositories.ts'
import type { ContextPin } from './pin-contexts.ts'

/** A parsed `@name/path` in a context repository. */
export interface ContextPath {
  name: string
  /** Relative to the root that is read; empty for the root itself. */
  path: string
}

/** Largest file that is read. */
const fileBytesMax = 4 * 1024 * 1024

/**
 * Read-only files of a job's context repositories, each at the commit that the round began with and opened on first
 * use.
 */
export class ContextFiles {
  readonly #pins: ReadonlyMap<string, ContextPin>
  /** All of them, readable or not. */
  readonly pins: readonly ContextPin[]
  readonly #open: (pin: ContextPin, signal: AbortSignal) => Promise<OpenContext>
  readonly #closing = new AbortController()
  readonly #trees = new Map<string, Promise<{ opened: OpenContext; tree: CommitTree }>>()

  /**
   * @param given.hidden Pins whose paths collide with files of the documentation itself.
   * @param open Fetches the commit of a pin to this machine.
   */
  constructor(
    { readable, hidden }: { readable: readonly ContextPin[]; hidden: readonly ContextPin[] },
    open: (pin: ContextPin, signal: AbortSignal) => Promise<OpenContext>,
  ) {
    this.pins = [...readable, ...hidden]
    this.#pins = new Map(readable.map((pin) => [pin.name, pin]))
    this.#open = open
  }

  /** Null for a path of the repository that the job edits. */
  find(path: string): ContextPath | null {
    const [, name = '', rest = ''] = /^(?:\.?\/)*@([a-z0-9-]+)(?:\/(.*))?$/is.exec(path) ?? []
    const known = name.toLowerCase()
    return this.#pins.has(known) ? { name: known, path: rest.replaceAll(/^(?:\.?\/)+|\/+$/g, '') } : null
  }

  /** Every file, as `@name/path`, sorted. */
  async list({ name, path }: ContextPath, signal: AbortSignal): Promise<string[]> {
    const { tree } = await this.#find(name, signal)
    return tree.paths
      .filter((file) => path === '' || file === path || file.startsWith(`${path}/`))
      .map((file) => `@${name}/${file}`)
  }

  /**
   * The text of a file, without the secrets that product repositories may contain.
   *
   * @param isWanted Tested with the text as it is; masking takes about 1 ms for 10 KB.
   * @returns `text` is null if it is not wanted, or not UTF-8.
   * @throws {AppError} if the file does not exist, is too large, or is stored by Git LFS.
   */
  async readText(
    path: ContextPath,
    signal: AbortSignal,
    isWanted: (text: string) => boolean = () => true,
  ): Promise<{ bytes: number; text: string | null }> {
    const bytes = await this.#read(path, signal)
    const text = decodeText(bytes)
    return { bytes: bytes.length, text: text === null || !isWanted(text) ? null : maskKeys(text) }
  }

  async #read({ name, path }: ContextPath, signal: AbortSignal): Promise<Uint8Array> {
    const { tree } = await this.#find(name, signal)
    const shown = quotePath(`@${name}/${path}`)
    if (tree.find(path) === null) {
      const skipped = tree.skipped.find((entry) => entry.path === path)
      throw refusal(
        skipped === undefined
          ? `There is no file ${shown}. List the files under ${quotePath(`@${name}`)} to find its path.`
          : `${shown} cannot be read. ${skipped.reason}`,
      )
    }
    const bytes = await tree.read(path)
    if (bytes.length > fileBytesMax) throw refusal(`${shown} has ${bytes.length} bytes, which is too much to read.`)
    if (isLfsPointer(bytes)) throw refusal(`${shown} is kept by Git LFS, outside of the repository.`)
    return bytes
  }

  /** Ends the processes that serve the reads. Idempotent. */
  close(): void {
    this.#closing.abort()
  }

  async #find(name: string, signal: AbortSignal): Promise<{ opened: OpenContext; tree: CommitTree }> {
    const pin = this.#pins.get(name)
    if (pin === undefined || pin.commit === null) {
      throw refusal(`@${name} cannot be read: ${pin?.problem ?? 'there is no such context repository.'}`)
    }
    let found = this.#trees.get(name)
    if (found === undefined) {
      found = this.#openTree(pin, signal)
      this.#trees.set(name, found)
      // The failure may be temporary, so the next call tries again.
      found.catch(() => this.#trees.delete(name))
    }
    return found
  }

  async #openTree(pin: ContextPin, signal: AbortSignal) {
    const opened = await this.#open(pin, signal)
    const { gitDirectory: repository, commit: ref, subdirectory } = opened
    // It outlives the call that opens it.
    const tree = await openCommitTree({ repository, ref, subdirectory }, this.#closing.signal)
    return { opened, tree }
  }
}
