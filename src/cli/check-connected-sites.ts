import type { Client } from '../client/create-client.ts'
import { listAll } from '../client/list-all.ts'
import type { Settings } from '../config/settings.ts'
import type { SiteResource } from '../contract/admin.ts'
import { isForgeKind } from '../contract/code-hosts.ts'
import { findServer, withClient } from './connect.ts'
import { listStoredSites, withStore } from './with-store.ts'

/** Result of checking one site or bot. */
export interface CheckReport {
  isFine: boolean
  /** Sentences. */
  message: string
}

/** Checks the repository access of every site on a code host. Creates nothing in an empty data folder. */
export async function checkConnectedSites(settings: Settings): Promise<CheckReport[]> {
  if (!(await hasConnectedSites(settings))) return []
  return withClient(async (client) => {
    const reports: CheckReport[] = []
    for (const site of await listConnected(client)) reports.push(await checkSite(client, site))
    return reports
  })
}

/** True if a server is running: it holds the embedded database, and can be asked directly. */
async function hasConnectedSites(settings: Settings): Promise<boolean> {
  if ((await findServer(settings)) !== null) return true
  const sites = await withStore(settings, listStoredSites)
  return sites.some(({ source }) => isForgeKind(source.kind))
}

async function listConnected(client: Client): Promise<SiteResource[]> {
  const sites = await listAll((cursor) => client.listSites({ query: { cursor } }))
  return sites.filter(({ source }) => isForgeKind(source.kind))
}

async function checkSite(client: Client, { slug, id, source }: SiteResource): Promise<CheckReport> {
  const { steps, canRead, canPropose } = await client.checkSource({ body: { site: id } })
  // A site without a credential is read-only by choice.
  const isReadOnly = steps.some(({ name }) => name === 'credential')
  const isFine = canRead && (canPropose || isReadOnly)
  const wrong = steps.filter(({ state }) => state === 'failed' || state === 'warning').map(({ message }) => message)
  const fine = `${source.location} can be read${canPropose ? ' and takes pull requests' : ''}.`
  return { isFine, message: `${slug}: ${isFine ? fine : wrong.join(' ')}` }
}
