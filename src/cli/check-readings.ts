import { listAll } from '../client/list-all.ts'
import { nameCommand } from '../config/name-command.ts'
import type { Settings } from '../config/settings.ts'
import { describeSiteCheck } from '../contract/describe-site-check.ts'
import { writeMessages } from '../contract/message-texts.ts'
import type { SiteCheck } from '../contract/site-check.ts'
import { getCurrentIndexGeneration } from '../store/sites/index-generations.ts'
import { findServer, withClient } from './connect.ts'
import { listStoredSites, withStore } from './with-store.ts'

interface Reading {
  slug: string
  check: SiteCheck | null
  isWaiting: boolean
}

/** Authors leave some links broken. Where more are, the reading may be at fault. */
const workingPercentMin = 95

/** Sentences about sites whose pages disagree with their source. Read-only. */
export async function listReadingWarnings(settings: Settings): Promise<string[]> {
  const readings = (await findServer(settings)) === null ? await readStored(settings) : await readServed()
  return readings.flatMap(({ slug, check, isWaiting }) => {
    if (check === null || !(isWaiting || isPoor(check))) return []
    const waiting = isWaiting ? ['It is waiting for its owner to confirm the addresses of its pages.'] : []
    return [
      [
        `${slug}:`,
        writeMessages(describeSiteCheck(check)),
        ...waiting,
        `See: ${nameCommand(`site show ${slug}`)}`,
      ].join(' '),
    ]
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
function readStored(settings: Settings): Promise<Reading[]> {
  return withStore(settings, async (store) => {
    const sites = await listStoredSites(store)
    return Promise.all(
      sites.map(async ({ id, slug }) => {
        const generation = await getCurrentIndexGeneration(store.durable, id)
        return { slug, check: generation?.selfCheck ?? null, isWaiting: generation?.isWaiting ?? false }
      }),
    )
  })
}
