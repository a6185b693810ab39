import { checkBot, connectBot } from '../../bots/manage-bots.ts'
import type { ChatAck } from '../../bots/bot-platform.ts'
import { botPlatformOf } from '../../bots/bot-platforms.ts'
import { receiveChatRequest } from '../../bots/receive-chat-request.ts'
import { AppError } from '../../contract/app-error.ts'
import { type BotPlatformName, botPlatformLabels } from '../../contract/bot-platforms.ts'
import type { botOperations } from '../../contract/operations/bots.ts'
import { readBotActivity } from '../../store/bots/bot-events.ts'
import { type Bot, deleteBot, findBot, listBots, updateBot } from '../../store/bots/bots.ts'
import { getSiteByDomain, type Site } from '../../store/sites/sites.ts'
import type { AppContext } from '../app-env.ts'
import { BodyReading } from '../bodies/body-reading.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Longest time for trying a token. */
const checkMsMax = 30_000
/** Far above what the platforms send. */
const bodyBytesMax = 1024 * 1024

export function createBotHandlers(deps: ServerDeps): Handlers<typeof botOperations> {
  const db = deps.store.durable
  const limit = (c: AppContext) => AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(checkMsMax)])

  return {
    listBots: async ({ site: { id: siteId } }) => {
      const bots = await listBots(db, { siteId })
      return { items: await Promise.all(bots.map((bot) => toResource(deps, bot))) }
    },

    connectBot: async ({ c, params: { platform }, body: input, site: { id: siteId } }) => {
      const bot = await connectBot({ ...deps, ...deps.bots }, { siteId, platform, input }, limit(c))
      return { reply: await toResource(deps, bot), audit: { target: targetOf(bot) } }
    },

    updateBot: async ({ params, body, site }) => {
      const before = await requireBot(deps, site, params.platform)
      const bot = await updateBot(db, before.id, { settings: { ...before.settings, ...body } })
      if (bot === null) throw noBot(params.platform)
      return { reply: await toResource(deps, bot), audit: { target: targetOf(bot) } }
    },

    checkBot: async ({ c, params, site }) => {
      const found = await requireBot(deps, site, params.platform)
      const bot = await checkBot({ ...deps, ...deps.bots }, found, limit(c))
      return { reply: await toResource(deps, bot), audit: { target: targetOf(bot) } }
    },

    removeBot: async ({ params, site }) => {
      const bot = await requireBot(deps, site, params.platform)
      await deleteBot(db, bot.id)
      return { reply: null, audit: { target: targetOf(bot) } }
    },

    receiveBotRequest: async ({ c, params }) => {
      const reading = new BodyReading(c, deps.bodyPlaces, bodyBytesMax, null)
      return reading.use(({ bytes }) => receive(deps, params, { headers: c.req.raw.headers, body: bytes }))
    },
  }
}

async function receive(
  deps: ServerDeps,
  place: { platform: BotPlatformName; site: string },
  request: { headers: Headers; body: Uint8Array },
): Promise<ChatAck> {
  const platform = botPlatformOf[place.platform]
  const { durable } = deps.store
  const siteId = (await getSiteByDomain(durable, place.site))?.id ?? place.site
  const bot = await findBot(durable, { siteId, platform: place.platform })
  const keys = bot === null ? null : { account: bot.account, credentials: deps.bots.botSecrets.open(bot) }
  if (bot === null || keys === null || !platform.isSigned(request, keys, deps.clock.now())) {
    throw new AppError(
      'webhook_refused',
      'The request is not signed by the app of this bot. Connect the bot again with the current secrets of the app.',
    )
  }
  const read = platform.read(request, bot.account)
  if (read !== null) return receiveChatRequest({ ...deps, ...deps.bots }, bot, read)
  throw new AppError('invalid_request', `The body is not a request of ${platform.label} that Docent knows.`)
}

/** @throws {AppError} `not_found`. */
async function requireBot({ store }: ServerDeps, { id: siteId }: Site, platform: BotPlatformName): Promise<Bot> {
  const bot = await findBot(store.durable, { siteId, platform })
  if (bot === null) throw noBot(platform)
  return bot
}

function noBot(platform: BotPlatformName): AppError {
  return new AppError('not_found', `The site has no bot on ${botPlatformLabels[platform]}. Connect one first.`)
}

async function toResource({ store, baseUrl }: ServerDeps, bot: Bot) {
  const { id, siteId, platform, account, settings, createdAt } = bot
  const url = `${baseUrl}/webhooks/bots/${platform}/${siteId}`
  const activity = await readBotActivity(store.durable, id)
  return { id, siteId, platform, name: account.name, url, settings, ...activity, createdAt }
}

function targetOf({ id, platform, account }: Bot) {
  return { kind: 'bot', id, name: `${botPlatformLabels[platform]}: ${account.name}` }
}
