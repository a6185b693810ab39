import { z } from 'zod'
import { botPlatforms } from '../bot-platforms.ts'
import { botConnectSchema, botListSchema, botSchema, botUpdateSchema } from '../bots.ts'
import { defineOperations } from './operation.ts'
import { siteParams } from './params.ts'

const params = siteParams.extend({ platform: z.enum(botPlatforms) })

const tag = { name: 'Bots', description: 'Bots that answer questions about a site on Slack and Discord.' }

const botManagementOperations = defineOperations(tag, {
  listBots: {
    method: 'get',
    path: '/admin/v1/sites/{id}/bots',
    summary: 'List the bots of a site',
    description: 'Tokens are not included.',
    access: 'owner',
    params: siteParams,
    replies: { 200: { description: 'Bots, ordered by platform.', json: botListSchema } },
  },
  connectBot: {
    method: 'put',
    path: '/admin/v1/sites/{id}/bots/{platform}',
    summary: 'Connect a bot',
    description:
      'Tests the token first, and stores nothing if it does not work. On Discord, registers the command `/docs`. Replaces the credentials of a connected bot.',
    access: 'owner',
    audit: 'bot-connected',
    dashboardEvent: 'site-changed',
    params,
    body: botConnectSchema,
    replies: { 200: { description: 'The bot.', json: botSchema } },
    errors: [422],
  },
  updateBot: {
    method: 'patch',
    path: '/admin/v1/sites/{id}/bots/{platform}',
    summary: 'Change the settings of a bot',
    description: 'Updates only the given fields.',
    access: 'owner',
    audit: 'bot-changed',
    dashboardEvent: 'site-changed',
    params,
    body: botUpdateSchema,
    replies: { 200: { description: 'The bot.', json: botSchema } },
  },
  checkBot: {
    method: 'post',
    path: '/admin/v1/sites/{id}/bots/{platform}/check',
    summary: 'Check a bot',
    description: 'Tests the stored token. On Discord, registers the command `/docs` again.',
    access: 'owner',
    audit: 'bot-checked',
    params,
    replies: { 200: { description: 'The bot.', json: botSchema } },
    errors: [422],
  },
  removeBot: {
    method: 'delete',
    path: '/admin/v1/sites/{id}/bots/{platform}',
    summary: 'Remove a bot',
    description: 'Docent forgets its token and stops answering. The app at the platform stays.',
    access: 'owner',
    audit: 'bot-removed',
    dashboardEvent: 'site-changed',
    params,
    replies: { 204: { description: 'The bot was removed.' } },
  },
})

const botRequestOperations = defineOperations(tag, {
  receiveBotRequest: {
    method: 'post',
    path: '/webhooks/bots/{platform}/{site}',
    summary: 'Receive an event, command or button of a chat platform',
    description:
      'For Slack and Discord. A request without a valid signature is refused with 401, even if the site has no bot. The event is stored before the reply and answered afterwards.',
    access: 'signature',
    params: z.object({
      platform: z.enum(botPlatforms),
      site: z.string().meta({ description: 'Id or slug of the site.' }),
    }),
    replies: {
      200: {
        description: 'What the platform expects; `{}` if it expects nothing.',
        json: z.record(z.string(), z.unknown()),
      },
    },
    neverErrors: [404],
  },
})

export const botOperations = { ...botManagementOperations, ...botRequestOperations }
