import { locateDataFolder } from '../app/data-folder.ts'
import type { Client } from '../client/create-client.ts'
import { listAll } from '../client/list-all.ts'
import type { Settings } from '../config/settings.ts'
import type { SiteResource } from '../contract/admin.ts'
import { isForgeKind } from '../contract/code-hosts.ts'
import { openStore } from '../store/open-store.ts'
import { listSites } from '../store/sites/sites.ts'
import { silentLog } from '../telemetry/log.ts'
import { findServer, withClient } from './connect.ts'

/** Result of checking one site on a code host. */
export interface ConnectedSiteReport {
  isFine: boolean
  /** Sentences. */
  message: string
}

const sitesMax = 10_000

/** Checks the repository access of every site on a code host. Creates nothing in an empty data folder. */
export async function checkConnectedSites(settings: Settings): Promise<ConnectedSiteReport[]> {
  if (!(await hasConnectedSites(settings))) return []
  return withClient(async (client) => {
    const reports: ConnectedSiteReport[] = []
    for (const site of await listConnected(client)) reports.push(await checkSite(client, site))
    return reports
  })
}

/** True if a server is running: it holds the embedded database, and can be asked directly. */
async function hasConnectedSites(settings: Settings): Promise<boolean> {
  if ((await findServer(settings)) !== null) return true
  const folder = locateDataFolder(settings).path
  const store = await openStore({ databaseUrl: settings.databaseUrl, folder, log: silentLog })
  try {
    const { items } = await listSites(store.durable, { limit: sitesMax })
    return items.some(({ source }) => isForgeKind(source.kind))
  } finally {
    await store.close()
  }
}

async function listConnected(client: Client): Promise<SiteResource[]> {
  const sites = await listAll((cursor) => client.listSites({ query: { cursor } }))
  return sites.filter(({ source }) => isForgeKind(source.kind))
}

async function checkSite(client: Client, { slug, id, source }: SiteResource): Promise<ConnectedSiteReport> {
  const { steps, canRead, canPropose } = await client.checkSource({ body: { site: id } })
  // A site without a credential is read-only by choice.
  const isReadOnly = steps.some(({ name }) => name === 'credential')
  const isFine = canRead && (canPropose || isReadOnly)
  const wrong = steps.filter(({ state }) => state === 'failed' || state === 'warning').map(({ message }) => message)
  const fine = `${source.location} can be read${canPropose ? ' and takes pull requests' : ''}.`
  return { isFine, message: `${slug}: ${isFine ? fine : wrong.join(' ')}` }
}
