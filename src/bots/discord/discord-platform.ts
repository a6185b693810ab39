import { createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'
import type { BotAccount } from '../../store/tables/bots.ts'
import { isRecentTimestamp } from '../../base/is-recent-timestamp.ts'
import type { BotEvent } from '../bot-event.ts'
import type { BotAccess, BotConnection, BotPlatform, ChatReply, ChatRequest } from '../bot-platform.ts'
import { discordDialect } from './discord-dialect.ts'
import { writeDiscordMessage } from './discord-messages.ts'
import { ephemeralFlag, readDiscordRequest, replyInDiscord } from './read-discord-request.ts'
import { BotApiError } from '../bot-api-error.ts'
import { callChatApi } from '../call-chat-api.ts'

/** The message that a deferred reply becomes. */
const original = '@original'

export const discordPlatform: BotPlatform = {
  label: 'Discord',
  // Discord's limit is 2,000.
  sectionCharsMax: 1_950,
  sectionsPerMessage: 1,
  dialect: discordDialect,
  connect: connectDiscord,
  isSigned: isSignedByDiscord,
  read: readDiscordRequest,
  refuse: replyInDiscord,
  isShared: async () => false,
  findSignOfLife: ({ type }) => (type === 'notice' ? null : original),
  send: sendToDiscord,
  findPosted: async () => null,
  // The HTTP reply to the button has done it.
  thank: async () => {},
}

const applicationSchema = z.object({
  id: z.string().regex(/^\d{1,25}$/),
  name: z.string(),
  verify_key: z.string().regex(/^[\da-f]{64}$/i),
})

const commandName = 'docs'
/** Of an option and of contexts: servers and direct messages with the bot. */
const stringOption = 3
const everywhere = [0, 1]

async function connectDiscord(connection: BotConnection): Promise<BotAccount> {
  const application = applicationSchema.parse(await callDiscord(connection, 'GET', '/applications/@me'))
  const { id, name, verify_key: publicKey } = application
  // Replaces the command of that name, and leaves others alone.
  await callDiscord(connection, 'POST', `/applications/${id}/commands`, {
    name: commandName,
    description: 'Ask the documentation',
    contexts: everywhere,
    options: [
      { type: stringOption, name: 'question', description: 'Your question', required: true, max_length: 4_000 },
    ],
  })
  return { name: name.slice(0, 200), userId: id, workspaceId: null, publicKey }
}

/** @see https://docs.discord.com/developers/interactions/overview#setting-up-an-endpoint-validating-security-request-headers */
function isSignedByDiscord(
  { headers, body }: ChatRequest,
  { account: { publicKey } }: Pick<BotAccess, 'account'>,
  nowMs: number,
): boolean {
  const timestamp = headers.get('x-signature-timestamp') ?? ''
  const signature = headers.get('x-signature-ed25519') ?? ''
  if (publicKey === null || !/^[\da-f]{128}$/i.test(signature) || !isRecentTimestamp(timestamp, nowMs)) return false
  const x = Buffer.from(publicKey, 'hex').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'hex'))
}

const sentSchema = z.object({ id: z.string() })

async function sendToDiscord(access: BotAccess, event: BotEvent, reply: ChatReply, id: string | null): Promise<string> {
  const isPrivate = event.type === 'question'
  const message = writeDiscordMessage(reply, { canShare: isPrivate })
  if (event.type === 'notice') {
    return sentSchema.parse(await callDiscord(access, 'POST', `/channels/${event.channelId}/messages`, message)).id
  }
  const webhook = `/webhooks/${access.account.userId}/${event.place.replyToken ?? ''}`
  if (id !== null) {
    await callDiscord(access, 'PATCH', `${webhook}/messages/${id}`, message)
    return id
  }
  const flags = message.flags | (isPrivate ? ephemeralFlag : 0)
  return sentSchema.parse(await callDiscord(access, 'POST', `${webhook}?wait=true`, { ...message, flags })).id
}

const errorSchema = z.object({ message: z.string() })

/** @returns The body of the reply. @throws {BotApiError} */
async function callDiscord(
  { fetch, apiUrl, credentials, signal }: BotConnection,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
): Promise<unknown> {
  const { status, json } = await callChatApi({
    fetch,
    signal,
    platform: 'Discord',
    url: apiUrl + path,
    method,
    headers: { authorization: `Bot ${credentials.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (status >= 200 && status < 300) return json
  const reason = errorSchema.safeParse(json).data?.message.slice(0, 200) ?? 'no reason given'
  throw new BotApiError(`Discord refused ${method} with status ${status}: ${reason}`, { isPassing: false })
}
