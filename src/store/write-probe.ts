import { statfs } from 'node:fs/promises'
import type { Clock } from '../base/clock.ts'
import { addCounts } from './counts/counters.ts'
import { type DatabaseFault, readDatabaseFault } from './database-error.ts'
import type { Store } from './store.ts'

export interface WriteProbeDeps {
  store: Store
  clock: Clock
  /** The data folder: the disk of the embedded database. */
  folder: string
}

/** Bounds what probes cost, however often anybody asks. */
const believedMs = 1_000

/**
 * With less, the next answers may fit into what the database's log has left, and the ones after them do not: that is full.
 */
const freeBytesMin = 1024 * 1024

/** Tells whether the database takes writes, by writing. Looks at most once a second. */
export class WriteProbe {
  readonly #deps: WriteProbeDeps
  #lookedAt = -Infinity
  #fault: Promise<DatabaseFault | null> = Promise.resolve(null)

  constructor(deps: WriteProbeDeps) {
    this.#deps = deps
  }

  /** @returns What keeps it from being written to; null when nothing does. */
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
      // A row that retention removes; what it counts means nothing.
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
  // The system keeps blocks back for root, who may write to them.
  const blocks = process.getuid?.() === 0 ? disk.bfree : disk.bavail
  return blocks * disk.bsize < freeBytesMin
}
