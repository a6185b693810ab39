import { isRecent } from '../base/is-recent.ts'
import { stat } from 'node:fs/promises'
import type { Clock } from '../base/clock.ts'
import { nameVectorFile } from './vector-file-format.ts'

export interface VectorAttachmentDeps {
  clock: Clock
  log?: { warn(fields: object, message: string): void }
  /** Opens the vectors beside the index; false when they are of another model. */
  open(): Promise<boolean>
}

/** Time between two looks for vectors that are not there yet: another process may write them. */
const lookEveryMs = 2_000

/**
 * Attaches the vectors of an open index as soon as they lie beside it. Searches do not wait for that: those that come
 * before go by words alone.
 */
export class VectorAttachment {
  isOpen = false
  readonly #deps: VectorAttachmentDeps
  readonly #file: string
  #lookedAtMs = -Infinity
  #isLooking = false
  /** What was looked at and could not be used: the same file again would be no better. */
  #refused: string | null = null

  constructor(deps: VectorAttachmentDeps, indexFile: string) {
    this.#deps = deps
    this.#file = nameVectorFile(indexFile)
  }

  /** Looks in the background, when it is time to. */
  lookSoon(): void {
    const isSoon = isRecent(this.#lookedAtMs, lookEveryMs, this.#deps.clock.now())
    if (!this.isOpen && !this.#isLooking && !isSoon) void this.look()
  }

  /** Never rejects: a search goes by words where vectors cannot be opened. */
  async look(): Promise<void> {
    this.#isLooking = true
    const found = await stat(this.#file).catch(() => null)
    const stamp = found === null ? null : `${found.ino}:${found.size}:${found.mtimeMs}`
    if (stamp !== null && stamp !== this.#refused) await this.#open(stamp)
    this.#lookedAtMs = this.#deps.clock.now()
    this.#isLooking = false
  }

  async #open(stamp: string): Promise<void> {
    try {
      this.isOpen = await this.#deps.open()
    } catch (error) {
      this.#deps.log?.warn({ file: this.#file, reason: String(error) }, 'vectors-unreadable')
    }
    if (!this.isOpen) this.#refused = stamp
  }
}
