import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import { createIdSource } from '../../src/base/ids.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { LeaseDeps } from '../../src/store/with-lease.ts'

/** Runs work with a database of its own for leases. */
export async function withLeaseDeps(work: (deps: LeaseDeps) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-leases-'))
  const store = await openStore({ folder })
  try {
    await work({ store, ids: createIdSource(systemClock) })
  } finally {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
}
