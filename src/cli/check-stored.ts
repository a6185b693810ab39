import { join } from 'node:path'
import { type DataFolder, openDataFolder, type ServerAddress } from '../app/data-folder.ts'
import { listSealedFaults } from '../app/sealed-values.ts'
import { checkSecretKey } from '../app/secret-key.ts'
import type { Settings } from '../config/settings.ts'
import { type HealthPart, healthSchema } from '../contract/service-health.ts'
import { hasItsDigest } from '../search/index-file/index-digest.ts'
import { getCurrentIndexGeneration } from '../store/sites/index-generations.ts'
import type { Store } from '../store/store.ts'
import { listStoredSites, withStore } from './with-store.ts'

const serverTimeoutMs = 5_000

/** Failures and warnings from the running server's health report. */
export async function listServerFaults({ url, token }: ServerAddress): Promise<HealthPart[]> {
  const response = await fetch(`${url}/admin/v1/operations/health`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(serverTimeoutMs),
  })
  const { parts } = healthSchema.parse(await response.json())
  return parts.filter(({ name, state }) => name !== 'database' && (state === 'failed' || state === 'warning'))
}

/** Sentences about unusable stored secrets and indexes, for an installation without a running server. Read-only. */
export async function listStoredFaults(settings: Settings): Promise<string[]> {
  const folder = await openDataFolder(settings)
  return withStore(settings, async (store) => {
    const master = await checkSecretKey({ store, folder, settings })
    const secrets = master === null ? [] : await listSealedFaults(store, master)
    return [...secrets, ...(await listIndexFaults(store, folder))]
  })
}

/** Processes that share a database fetch missing indexes from it. */
async function listIndexFaults(store: Store, { indexes }: DataFolder): Promise<string[]> {
  if (store.dialect !== 'sqlite') return []
  const faults: string[] = []
  for (const { id, slug } of await listStoredSites(store)) {
    const generation = await getCurrentIndexGeneration(store.durable, id)
    if (generation === null || (await hasItsDigest(join(indexes, generation.file)).catch(() => false))) continue
    faults.push(`The index of the site ${slug} is missing or damaged. The next start rebuilds it.`)
  }
  return faults
}
