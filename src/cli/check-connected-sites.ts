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

/** What is known of one site that is read from a forge. */
export interface ConnectedSiteReport {
  isFine: boolean
  /** Sentences: what is wrong, or that nothing is. */
  message: string
}

const sitesMax = 10_000

/** Tries out, for every site on a forge, what it needs of its repository. Nothing is made on an empty data folder. */
export async function checkConnectedSites(settings: Settings): Promise<ConnectedSiteReport[]> {
  if (!(await hasConnectedSites(settings))) return []
  return withClient(async (client) => {
    const reports: ConnectedSiteReport[] = []
    for (const site of await listConnected(client)) reports.push(await checkSite(client, site))
    return reports
  })
}

/** A server that runs holds the embedded database, and has made its first site long ago. */
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
  // A site that nothing is stored for is read only, by choice.
  const isReadOnly = steps.some(({ name }) => name === 'credential')
  const isFine = canRead && (canPropose || isReadOnly)
  const wrong = steps.filter(({ state }) => state === 'failed' || state === 'warning').map(({ message }) => message)
  const fine = `${source.location} can be read${canPropose ? ' and takes pull requests' : ''}.`
  return { isFine, message: `${slug}: ${isFine ? fine : wrong.join(' ')}` }
}
