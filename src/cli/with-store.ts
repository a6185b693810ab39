import { locateDataFolder } from '../app/data-folder.ts'
import type { Settings } from '../config/settings.ts'
import { openStore } from '../store/open-store.ts'
import { listSites, type Site } from '../store/sites/sites.ts'
import type { Store } from '../store/store.ts'
import { silentLog } from '../telemetry/log.ts'

const sitesMax = 10_000

/** Opens the database while work runs. A running server locks the embedded one: ask it instead. */
export async function withStore<Result>(settings: Settings, work: (store: Store) => Promise<Result>): Promise<Result> {
  const folder = locateDataFolder(settings).path
  const store = await openStore({ databaseUrl: settings.databaseUrl, folder, log: silentLog })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

export async function listStoredSites(store: Store): Promise<Site[]> {
  return (await listSites(store.durable, { limit: sitesMax })).items
}
