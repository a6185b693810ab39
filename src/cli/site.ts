import { setTimeout as wait } from 'node:timers/promises'
import type { AdminClient } from '../client/admin-client.ts'
import type { SiteResource, SyncRunResource } from '../contract/admin.ts'
import { withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'

const pollMs = 250

/** `docent site list`. */
export async function listSites(output: Output): Promise<void> {
  const sites = await withClient(async (client) => (await client.listSites()).items)
  output.result(sites, () => formatTable(['SLUG', 'ID', 'PAGES', 'REVISION', 'SOURCE'], sites.map(toRow)))
}

/** `docent site sync`: waits for the end of the run. */
export async function syncSite(output: Output, site: string): Promise<void> {
  const { run, resource } = await withClient(async (client) => {
    const run = await finishRun(client, output, site, await client.syncSite(site))
    return { run, resource: (await client.listSites()).items.find(({ id }) => id === run.siteId) }
  })
  if (run.state === 'failed') throw new Error(`The sync failed: ${run.failure}`)
  output.result(run, () => `${site} is up to date: ${resource?.generation?.pages ?? 0} pages.`)
}

/** `docent site findings`. */
export async function listFindings(output: Output, site: string): Promise<void> {
  const { items } = await withClient((client) => client.listFindings(site))
  output.result(items, () =>
    items.length === 0
      ? 'Nothing is wrong with the source.'
      : items
          .map(({ file, line, rule, message }) => `${file}${line === null ? '' : `:${line}`}  ${rule}  ${message}`)
          .join('\n'),
  )
}

/** `docent site identity-secret`. */
export async function makeIdentitySecret(output: Output, site: string): Promise<void> {
  const made = await withClient((client) => client.makeIdentitySecret(site))
  output.result(
    made,
    () =>
      `${made.secret}\n\nSigns X-Docent-Identity for ${site} (HS256). It is shown this once; the one before no longer counts.`,
  )
}

async function finishRun(
  client: AdminClient,
  output: Output,
  site: string,
  run: SyncRunResource,
): Promise<SyncRunResource> {
  output.progress(`Syncing ${site} …`)
  let current = run
  while (current.state === 'queued' || current.state === 'running') {
    await wait(pollMs)
    current = await client.getSyncRun(current.siteId, current.id)
  }
  return current
}

function toRow({ slug, id, generation, source }: SiteResource): string[] {
  return [slug, id, String(generation?.pages ?? '-'), generation?.revision.slice(0, 12) ?? 'not yet', source.location]
}
