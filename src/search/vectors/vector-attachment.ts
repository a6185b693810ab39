import { isRecent } from '../../base/is-recent.ts'
import { stat } from 'node:fs/promises'
import type { Clock } from '../../base/clock.ts'
import { isVectorFileWhole } from './read-vector-header.ts'
import { nameVectorFile } from './vector-file-format.ts'

export interface VectorAttachmentDeps {
  clock: Clock
  log?: { warn(fields: object, message: string): void }
  /** Opens the vectors of the index; false if they are of another model, or not used. */
  open(): Promise<boolean>
  /** Detaches them. */
  close(): void
  /** Called when attached vectors are damaged or missing and must be rebuilt or fetched. */
  onLost(): void
}

/** Time between two checks: another process may write vectors, and anything may damage them. */
const pollMs = 2_000

/**
 * Attaches the vectors of an open index once they exist, and detaches them if damaged. Searches do not wait: without
 * vectors they use words alone.
 */
export class VectorAttachment {
  isOpen = false
  readonly #deps: VectorAttachmentDeps
  readonly #indexFile: string
  #lookedAtMs = -Infinity
  #isLooking = false
  /** The file that is open or unusable; ignored until it changes. */
  #known: string | null = null

  constructor(deps: VectorAttachmentDeps, indexFile: string) {
    this.#deps = deps
    this.#indexFile = indexFile
  }

  /** Checks in the background, if a check is due. */
  lookSoon(): void {
    const isSoon = isRecent(this.#lookedAtMs, pollMs, this.#deps.clock.now())
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

  /** Continues without vectors after a search failed to read them. */
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

  /** Replacing the open file does no harm, because the open one is still readable. */
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
