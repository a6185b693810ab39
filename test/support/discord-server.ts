import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { type ChatCall, type ChatServer, type ChatServerReply, startChatServer } from './chat-server.ts'

export const discordToken = 'MTIz.test.token'
const discordApplication = '1457469483726668048'

// RFC 8032, section 7.1, test 1: any key pair serves.
const secret = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
const privateKey = createPrivateKey({
  key: Buffer.from(`302e020100300506032b657004220420${secret}`, 'hex'),
  format: 'der',
  type: 'pkcs8',
})
const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
const publicKey = Buffer.from(x, 'base64url').toString('hex')

export interface DiscordMessage {
  /** Token of the interaction, or id of the channel. */
  place: string
  id: string
  body: Record<string, unknown>
  content: string
  /** Ids of its buttons, by the word before the colon. */
  buttons: Record<string, string>
}

export interface DiscordServer extends AsyncDisposable {
  url: string
  /** As they stand now. */
  readonly messages: readonly DiscordMessage[]
  readonly commands: readonly unknown[]
  readonly calls: ChatServer['calls']
}

/**
 * Discord's HTTP API, as far as a bot without a gateway uses it.
 *
 * @see https://docs.discord.com/developers/interactions/receiving-and-responding
 */
export async function startDiscordServer(): Promise<DiscordServer> {
  const messages: DiscordMessage[] = []
  const commands: unknown[] = []
  const server = await startChatServer((call) => handle({ messages, commands }, call))
  return { ...server, messages, commands, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

interface DiscordState {
  messages: DiscordMessage[]
  commands: unknown[]
}

function handle(
  { messages, commands }: DiscordState,
  { method, path, authorization, body }: ChatCall,
): ChatServerReply {
  if (authorization !== `Bot ${discordToken}`) return { status: 401, json: { message: '401: Unauthorized', code: 0 } }
  if (path === '/applications/@me') {
    return {
      json: { id: discordApplication, name: 'Acme Docs', verify_key: publicKey, bot: { id: discordApplication } },
    }
  }
  const json = JSON.parse(body) as Record<string, unknown> // Every other call has a body.
  if (path === `/applications/${discordApplication}/commands`) {
    commands.push(json)
    return { status: 201, json: { id: '1', ...json } }
  }
  const place = /^\/(?:channels|webhooks\/\d+)\/([\w.-]+)/.exec(path)?.[1] ?? ''
  const id = method === 'PATCH' ? decodeURIComponent(path.split('/').at(-1) ?? '') : `${1000 + messages.length}`
  return keep(messages, { place, id, body: json })
}

const contentCharsMax = 2_000

function keep(messages: DiscordMessage[], message: Pick<DiscordMessage, 'place' | 'id' | 'body'>): ChatServerReply {
  const { content, components = [] } = message.body as { content: string; components?: { components: Component[] }[] }
  if (content.length === 0 || content.length > contentCharsMax) {
    return { status: 400, json: { message: 'Invalid Form Body', code: 50035 } }
  }
  const ids = components.flatMap((row) => row.components).map(({ custom_id }) => custom_id)
  const buttons = Object.fromEntries(ids.map((each) => [each.split(':')[0] ?? '', each]))
  const before = messages.findIndex(({ place, id }) => place === message.place && id === message.id)
  if (before !== -1) messages.splice(before, 1)
  messages.push({ ...message, content, buttons })
  return { json: { id: message.id } }
}

interface Component {
  custom_id: string
}

/** Signs a body as Discord does. @param now Seconds since 1970. */
export function signForDiscord(body: string, now: number): Record<string, string> {
  const signature = sign(null, Buffer.from(`${now}${body}`), privateKey).toString('hex')
  return { 'x-signature-timestamp': `${now}`, 'x-signature-ed25519': signature }
}

let interactions = 1_473_118_791_343_800_000n

/** An interaction in a server. @param interaction Its `type` and `data`, and what differs. */
export function discordInteraction(interaction: Record<string, unknown>): string {
  const id = `${++interactions}`
  return JSON.stringify({
    application_id: discordApplication,
    channel: { guild_id: '1457468924290662599', id: '1459213904352645277', name: 'general', type: 0 },
    channel_id: '1459213904352645277',
    guild_id: '1457468924290662599',
    id,
    member: {
      permissions: '0',
      roles: [],
      user: { id: '1033044521375764530', username: 'asker', global_name: 'Asker' },
    },
    token: `token-${id}`,
    version: 1,
    ...interaction,
  })
}

export function discordCommand(question: string, change: Record<string, unknown> = {}): string {
  const data = { id: '2', name: 'docs', type: 1, options: [{ name: 'question', type: 3, value: question }] }
  return discordInteraction({ type: 2, data, ...change })
}
