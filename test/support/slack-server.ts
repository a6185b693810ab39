import { createHmac } from 'node:crypto'
import { type ChatCall, type ChatServerReply, startChatServer } from './chat-server.ts'

export const slackToken = 'xoxb-1-test'
export const signingSecret = '8f742231b10e8888abcd99yyyzzz85a5'
export const slackBotUser = 'U0BOT00001'
export const slackTeam = 'T0TEAM0001'

/** A message in a channel. */
export interface SlackMessage {
  channel: string
  ts: string
  thread: string | null
  /** Of its sections, joined by empty lines. */
  text: string
  /** Every text that it has had, the current one included. */
  versions: string[]
  buttons: Record<string, string>
  args: Record<string, string>
}

/** What came to a response URL. */
export interface SlackResponse {
  path: string
  message: Record<string, unknown>
  text: string
  buttons: Record<string, string>
}

export interface SlackServer extends AsyncDisposable {
  url: string
  readonly messages: readonly SlackMessage[]
  readonly responses: readonly SlackResponse[]
  readonly calls: readonly ChatCall[]
  /** Channels that another organization shares. */
  readonly shared: Set<string>
  /** Instead of the next replies to a method, in order. `cut`: after doing what was asked. */
  readonly faults: { method: string; reply: ChatServerReply }[]
}

/**
 * Slack's Web API and response URLs, as far as a bot uses them.
 *
 * @see https://docs.slack.dev/reference/methods for arguments, bounds and error codes.
 */
export async function startSlackServer(): Promise<SlackServer> {
  const state: SlackState = { messages: [], responses: [], shared: new Set(), faults: [], clock: 1_771_287_200 }
  const server = await startChatServer((call) => {
    const method = call.path.startsWith('/api/') ? call.path.slice('/api/'.length) : 'response'
    const fault = state.faults.findIndex((each) => each.method === method)
    const [taken] = fault === -1 ? [] : state.faults.splice(fault, 1)
    if (taken !== undefined && taken.reply !== 'cut') return taken.reply
    const reply = method === 'response' ? takeResponse(state, call) : callMethod(state, method, call)
    return taken === undefined ? reply : 'cut'
  })
  return { ...server, ...state, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

interface SlackState {
  messages: SlackMessage[]
  responses: SlackResponse[]
  shared: Set<string>
  faults: { method: string; reply: ChatServerReply }[]
  clock: number
}

function refuse(error: string): ChatServerReply {
  return { json: { ok: false, error } }
}

function callMethod(state: SlackState, method: string, { authorization, body }: ChatCall): ChatServerReply {
  if (authorization !== `Bearer ${slackToken}`) return refuse('invalid_auth')
  const args = Object.fromEntries(new URLSearchParams(body))
  switch (method) {
    case 'auth.test':
      return {
        json: { ok: true, url: 'https://acme.slack.com/', team: 'Acme', team_id: slackTeam, user_id: slackBotUser },
      }
    case 'chat.postMessage':
      return post(state, args)
    case 'chat.update':
      return update(state, args)
    case 'conversations.info':
      return {
        json: { ok: true, channel: { id: args['channel'], is_ext_shared: state.shared.has(args['channel'] ?? '') } },
      }
    case 'conversations.replies':
      return {
        json: { ok: true, messages: state.messages.filter(({ thread }) => thread === args['ts']).map(describe) },
      }
    default:
      return refuse('unknown_method')
  }
}

function describe({ ts, args }: SlackMessage) {
  return { ts, ...(args['metadata'] !== undefined && { metadata: JSON.parse(args['metadata']) as unknown }) }
}

function post(state: SlackState, args: Record<string, string>): ChatServerReply {
  const content = readBlocks(args['blocks'])
  if (typeof content === 'string') return refuse(content)
  const ts = `${++state.clock}.000100`
  const { channel = '' } = args
  const { text } = content
  state.messages.push({ channel, ts, thread: args['thread_ts'] ?? null, ...content, versions: [text], args })
  return { json: { ok: true, channel, ts } }
}

function update(state: SlackState, args: Record<string, string>): ChatServerReply {
  const message = state.messages.find(({ ts, channel }) => ts === args['ts'] && channel === args['channel'])
  if (message === undefined) return refuse('message_not_found')
  const content = readBlocks(args['blocks'])
  if (typeof content === 'string') return refuse(content)
  Object.assign(message, content, { versions: [...message.versions, content.text] })
  return { json: { ok: true, channel: message.channel, ts: message.ts } }
}

function takeResponse(state: SlackState, { path, body }: ChatCall): ChatServerReply {
  const message = JSON.parse(body) as Record<string, unknown> // Response URLs take JSON.
  const content = readBlocks(JSON.stringify(message['blocks'] ?? []))
  if (typeof content === 'string') return { status: 400, json: { ok: false, error: content } }
  state.responses.push({ path, message, ...content })
  return { json: 'ok' }
}

interface Block {
  type: string
  text?: { type: string; text: string; verbatim?: boolean }
  elements?: { type: string; action_id: string; value?: string; options?: { value: string }[] }[]
}

const sectionCharsMax = 3_000
const blocksMax = 50

/** @returns The code of the error that Slack answers with if it does not take the blocks. */
function readBlocks(json = '[]'): { text: string; buttons: Record<string, string> } | string {
  const blocks = JSON.parse(json) as Block[] // As the product writes them; what matters is checked below.
  if (blocks.length > blocksMax) return 'invalid_blocks'
  const texts = blocks.filter(({ type }) => type === 'section').map(({ text }) => text?.text ?? '')
  if (texts.some((text) => text.length === 0 || text.length > sectionCharsMax)) return 'invalid_blocks'
  const elements = blocks.filter(({ type }) => type === 'actions').flatMap((block) => block.elements ?? [])
  const names = elements.map((element) => element.action_id)
  if (new Set(names).size < names.length) return 'invalid_blocks'
  const buttons = elements.map((each) => [each.action_id, each.value ?? each.options?.[0]?.value ?? ''])
  return { text: texts.join('\n\n'), buttons: Object.fromEntries(buttons) as Record<string, string> }
}

/** Signs a body as Slack does. @param now Seconds since 1970. */
export function signForSlack(body: string, now: number, secret = signingSecret): Record<string, string> {
  const hmac = createHmac('sha256', secret).update(`v0:${now}:${body}`)
  return { 'x-slack-request-timestamp': `${now}`, 'x-slack-signature': `v0=${hmac.digest('hex')}` }
}

/** The envelope of an event. @param event As Slack documents it; fields that are not given are those of a message. */
export function slackEvent(event: Record<string, unknown>, envelope: Record<string, unknown> = {}): string {
  const message = {
    type: 'message',
    user: 'U0ASKER001',
    channel: 'C0GENERAL1',
    channel_type: 'channel',
    ts: '1771287144.743569',
  }
  const authorizations = [{ enterprise_id: null, team_id: slackTeam, user_id: slackBotUser, is_bot: true }]
  return JSON.stringify({
    token: 'legacy',
    team_id: slackTeam,
    api_app_id: 'A0APP00001',
    type: 'event_callback',
    event_id: 'Ev01',
    event_time: 1_771_287_144,
    authorizations,
    is_ext_shared_channel: false,
    ...envelope,
    event: { ...message, event_ts: event['ts'] ?? message.ts, ...event },
  })
}

/** A typed command. */
export function slackCommand(text: string, change: Record<string, string> = {}): string {
  return new URLSearchParams({
    token: 'legacy',
    team_id: slackTeam,
    team_domain: 'acme',
    channel_id: 'C0GENERAL1',
    channel_name: 'general',
    user_id: 'U0ASKER001',
    user_name: 'asker',
    command: '/docs',
    text,
    api_app_id: 'A0APP00001',
    is_enterprise_install: 'false',
    response_url: `https://hooks.slack.com/commands/${slackTeam}/1/secret`,
    trigger_id: '1.2.command',
    ...change,
  }).toString()
}

/** A pressed button. */
export function slackAction(action: Record<string, unknown>, change: Record<string, unknown> = {}): string {
  const payload = {
    type: 'block_actions',
    user: { id: 'U0ASKER001', username: 'asker', name: 'asker', team_id: slackTeam },
    api_app_id: 'A0APP00001',
    token: 'legacy',
    container: { type: 'message', message_ts: '1771287201.000100', channel_id: 'C0GENERAL1', is_ephemeral: false },
    trigger_id: '1.2.action',
    team: { id: slackTeam, domain: 'acme' },
    channel: { id: 'C0GENERAL1', name: 'general' },
    response_url: `https://hooks.slack.com/actions/${slackTeam}/1/secret`,
    actions: [{ type: 'button', block_id: 'b', action_ts: '1771287300.100000', ...action }],
    ...change,
  }
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
}
