import { isRecent } from '../base/is-recent.ts'
import { stat } from 'node:fs/promises'
import type { Clock } from '../base/clock.ts'
import { isVectorFileWhole } from './read-vector-header.ts'
import { nameVectorFile } from './vector-file-format.ts'

export interface VectorAttachmentDeps {
  clock: Clock
  log?: { warn(fields: object, message: string): void }
  /** Opens the vectors beside the index; false when they are of another model. */
  open(): Promise<boolean>
  /** Lets go of them. */
  close(): void
  /** Called when they are damaged or gone after they were there: they have to be made or fetched again. */
  onLost(): void
}

/** Time between two looks: another process may write vectors, and anything may damage them. */
const lookEveryMs = 2_000

/**
 * Attaches the vectors of an open index as soon as they lie beside it, and lets go of them when they are damaged. Searches
 * do not wait for that: without vectors they go by words alone.
 */
export class VectorAttachment {
  isOpen = false
  readonly #deps: VectorAttachmentDeps
  readonly #indexFile: string
  #lookedAtMs = -Infinity
  #isLooking = false
  /** The file that is open, or that could not be used: nothing is to be done while it stays the same. */
  #known: string | null = null

  constructor(deps: VectorAttachmentDeps, indexFile: string) {
    this.#deps = deps
    this.#indexFile = indexFile
  }

  /** Looks in the background, when it is time to. */
  lookSoon(): void {
    const isSoon = isRecent(this.#lookedAtMs, lookEveryMs, this.#deps.clock.now())
    if (!this.#isLooking && !isSoon) void this.look()
  }

  /** Never rejects. */
  async look(): Promise<void> {
    this.#isLooking = true
    const stamp = await readStamp(nameVectorFile(this.#indexFile))
    if (stamp !== this.#known) {
      if (stamp === null) this.#tellLost('The file is gone.')
      else if (this.isOpen) await this.#check()
      else await this.#open()
    }
    this.#known = stamp
    this.#lookedAtMs = this.#deps.clock.now()
    this.#isLooking = false
  }

  /** Goes on without them, because a search could not read them. */
  lose(reason: string): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.#deps.close()
    this.#tellLost(reason)
  }

  async #open(): Promise<void> {
    try {
      if (!(await isVectorFileWhole(this.#indexFile))) throw new Error('The vectors are damaged.')
      this.isOpen = await this.#deps.open()
    } catch (error) {
      this.#tellLost(String(error))
    }
  }

  /** A file that has taken the place of the open one changes nothing, because the open one is still read. */
  async #check(): Promise<void> {
    if (!(await isVectorFileWhole(this.#indexFile))) this.lose('The file has changed.')
  }

  #tellLost(reason: string): void {
    this.#deps.log?.warn({ file: nameVectorFile(this.#indexFile), reason }, 'vectors-unreadable')
    this.#deps.onLost()
  }
}

async function readStamp(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null)
  return found === null ? null : `${found.ino}:${found.size}:${found.ctimeMs}`
}
