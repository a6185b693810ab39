import { AppError } from '../contract/app-error.ts'
import { botPlatformLabels } from '../contract/bot-platforms.ts'
import type { BotResource } from '../contract/bots.ts'
import { listAll } from '../client/list-all.ts'
import type { Client } from '../client/create-client.ts'
import type { Settings } from '../config/settings.ts'
import { findServer, withClient } from './connect.ts'
import type { CheckReport } from './check-connected-sites.ts'

/** Tries the token of every bot. Nothing without a running server, because no bot answers then. */
export async function checkBots(settings: Settings): Promise<CheckReport[]> {
  if ((await findServer(settings)) === null) return []
  return withClient(async (client) => {
    const reports: CheckReport[] = []
    for (const { id, slug } of await listAll((cursor) => client.listSites({ query: { cursor } }))) {
      const { items } = await client.listBots({ params: { id } })
      for (const bot of items) reports.push(await checkBot(client, slug, bot))
    }
    return reports
  })
}

async function checkBot(
  client: Client,
  slug: string,
  { siteId, platform, failure }: BotResource,
): Promise<CheckReport> {
  const what = `The ${botPlatformLabels[platform]} bot of ${slug}`
  try {
    const { name } = await client.checkBot({ params: { id: siteId, platform } })
    if (failure === null) return { isFine: true, message: `${what} is connected to ${name}.` }
    return { isFine: false, message: `${what} is connected, but could not handle its last event: ${failure}` }
  } catch (error) {
    if (error instanceof AppError) return { isFine: false, message: `${what}: ${error.message}` }
    throw error
  }
}
