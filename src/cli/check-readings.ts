import { locateDataFolder } from '../app/data-folder.ts'
import { listAll } from '../client/list-all.ts'
import { nameCommand } from '../config/name-command.ts'
import type { Settings } from '../config/settings.ts'
import { describeSiteCheck } from '../contract/describe-site-check.ts'
import type { SiteCheck } from '../contract/site-check.ts'
import { openStore } from '../store/open-store.ts'
import { getCurrentIndexGeneration } from '../store/sites/index-generations.ts'
import { listSites } from '../store/sites/sites.ts'
import { silentLog } from '../telemetry/log.ts'
import { findServer, withClient } from './connect.ts'

interface Reading {
  slug: string
  check: SiteCheck | null
  isWaiting: boolean
}

const sitesMax = 10_000
/** Authors leave some links broken. Where more are, the reading may be at fault. */
const workingPercentMin = 95

/** Sentences about sites whose pages disagree with their source. Read-only. */
export async function listReadingWarnings(settings: Settings): Promise<string[]> {
  const readings = (await findServer(settings)) === null ? await readStored(settings) : await readServed()
  return readings.flatMap(({ slug, check, isWaiting }) => {
    if (check === null || !(isWaiting || isPoor(check))) return []
    const waiting = isWaiting ? ['It is waiting for its owner to confirm the addresses of its pages.'] : []
    return [[`${slug}:`, ...describeSiteCheck(check), ...waiting, `See: ${nameCommand(`site show ${slug}`)}`].join(' ')]
  })
}

function isPoor({ words, links }: SiteCheck): boolean {
  return words.lossyPages > 0 || links.working * 100 < links.total * workingPercentMin
}

function readServed(): Promise<Reading[]> {
  return withClient(async (client) => {
    const sites = await listAll((cursor) => client.listSites({ query: { cursor } }))
    return sites.map(({ slug, generation, confirmation }) => {
      return { slug, check: generation?.check ?? null, isWaiting: confirmation !== null }
    })
  })
}

/** A running server would lock the embedded database. */
async function readStored(settings: Settings): Promise<Reading[]> {
  const folder = locateDataFolder(settings).path
  const store = await openStore({ databaseUrl: settings.databaseUrl, folder, log: silentLog })
  try {
    const { items } = await listSites(store.durable, { limit: sitesMax })
    return await Promise.all(
      items.map(async ({ id, slug }) => {
        const generation = await getCurrentIndexGeneration(store.durable, id)
        return { slug, check: generation?.selfCheck ?? null, isWaiting: generation?.isWaiting ?? false }
      }),
    )
  } finally {
    await store.close()
  }
}
