import { statfs } from 'node:fs/promises'
import type { Clock } from '../base/clock.ts'
import { addCounts } from './counts/counters.ts'
import { type DatabaseFault, readDatabaseFault } from './database-error.ts'
import type { Store } from './store.ts'

export interface WriteProbeDeps {
  store: Store
  clock: Clock
  /** The data folder, which is on the disk of the embedded database. */
  folder: string
}

/** Caches results, which bounds the cost of probes. */
const believedMs = 1_000

/**
 * With less free space, the next answers may still fit into the database's log while later ones do not: treat that as
 * full.
 */
const freeBytesMin = 1024 * 1024

/** Tests by writing whether the database accepts writes. Writes at most once a second. */
export class WriteProbe {
  readonly #deps: WriteProbeDeps
  #lookedAt = -Infinity
  #fault: Promise<DatabaseFault | null> = Promise.resolve(null)

  constructor(deps: WriteProbeDeps) {
    this.#deps = deps
  }

  /** @returns The fault that prevents writes; null if there is none. */
  read(): Promise<DatabaseFault | null> {
    const now = this.#deps.clock.now()
    if (Math.abs(now - this.#lookedAt) < believedMs) return this.#fault
    this.#lookedAt = now
    this.#fault = this.#look()
    return this.#fault
  }

  async #look(): Promise<DatabaseFault | null> {
    const { store, folder } = this.#deps
    if (store.dialect === 'sqlite' && (await isFull(folder))) return 'full'
    try {
      // A meaningless row that retention removes.
      await addCounts(store.relaxed, [{ name: 'write-probe', subject: '', windowStart: 0, count: 1 }])
      return null
    } catch (error) {
      return readDatabaseFault(error) ?? 'unreachable'
    }
  }
}

async function isFull(folder: string): Promise<boolean> {
  const disk = await statfs(folder).catch(() => null)
  if (disk === null) return false
  // File systems reserve blocks that only root may use.
  const blocks = process.getuid?.() === 0 ? disk.bfree : disk.bavail
  return blocks * disk.bsize < freeBytesMin
}
