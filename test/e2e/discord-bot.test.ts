import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type BotResource, botSchema } from '../../src/contract/bots.ts'
import { waitFor } from '../support/chat-server.ts'
import {
  discordCommand,
  discordInteraction,
  type DiscordServer,
  discordToken,
  signForDiscord,
  startDiscordServer,
} from '../support/discord-server.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { createScriptedModel } from '../support/scripted-model.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

// A busy machine must not turn it red.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const code = Array.from({ length: 120 }, (_, index) => `kiosk-flash --device /dev/sd${index} # @everyone`)
const answerText = `@everyone <@1033044521375764530> **Flash** it:\n\n\`\`\`bash\n${code.join('\n')}\n\`\`\`\n\nThen start.`

let discord: DiscordServer
let docent: Docent
let path: string
let bot: BotResource
beforeAll(async () => {
  discord = await startDiscordServer()
  const model = createScriptedModel([[{ type: 'text', text: answerText }]])
  docent = await startDocent({ env: { DOCENT_DISCORD_API_URL: discord.url }, model })
  const response = await send('PUT', { token: discordToken })
  bot = botSchema.parse(await response.json())
  path = new URL(bot.url).pathname
})
afterAll(async () => {
  await docent.remove()
  await discord[Symbol.asyncDispose]()
})

function send(method: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...asAdmin }
  return fetch(`${docent.url}/admin/v1/sites/docs/bots/discord`, { method, headers, body: JSON.stringify(body) })
}

const now = () => Math.floor(Date.now() / 1_000)

async function deliver(body: string, headers = signForDiscord(body, now())): Promise<Record<string, unknown>> {
  const response = await fetch(docent.url + path, { method: 'POST', headers, body })
  return { status: response.status, ...((await response.json()) as object) }
}

const tokenOf = (body: string) => (JSON.parse(body) as { token: string }).token
const messagesOf = (body: string) => discord.messages.filter(({ place }) => place === tokenOf(body))
const press = (custom_id = '', values?: string[]) =>
  discordInteraction({ type: 3, data: { component_type: values === undefined ? 2 : 3, custom_id, values } })

it('answers a command in messages that only the asker sees, mentions nobody, and shares them once', async () => {
  const body = discordCommand('How do I flash a card?')

  const ack = await deliver(body)
  const repeated = await deliver(body)
  const last = await waitFor(() => messagesOf(body).find(({ buttons }) => buttons['share'] !== undefined))
  const all = messagesOf(body)
  const share = press(last.buttons['share'])
  const shared = await deliver(share)
  const again = await deliver(press(last.buttons['share']))
  await waitFor(() => messagesOf(share).find(({ buttons }) => buttons['helpful'] !== undefined))

  expect(bot.name).toBe('Acme Docs')
  expect(discord.commands).toMatchObject([{ name: 'docs', options: [{ name: 'question', required: true }] }])
  expect([ack, repeated]).toMatchObject([
    { status: 200, type: 5, data: { flags: 64 } },
    { status: 200, type: 5 },
  ])
  expect(all.length).toBeGreaterThan(2)
  expect(all.map(({ id }) => id)).toContain('@original')
  for (const { body: message } of all) expect(message['allowed_mentions']).toEqual({ parse: [] })
  // Follow-ups do not inherit that from the deferred reply.
  for (const message of all.filter(({ id }) => id !== '@original')) expect(message.body['flags']).toBe(68)
  const content = all.map((message) => message.content).join('\n')
  expect(content).not.toMatch(/@everyone \\<|[^\\]<@/)
  expect(all.filter((message) => message.content.split('```').length % 2 === 0)).toEqual([])
  expect(content.match(/kiosk-flash --device/g)).toHaveLength(code.length)
  expect(shared).toMatchObject({ type: 5 })
  expect(again).toMatchObject({ type: 4, data: { content: 'This answer was shared before.', flags: 64 } })
  expect(messagesOf(share)[0]?.content).toMatch(/^> How do I flash a card\?/)
})

it('stores feedback and its reason', async () => {
  const body = discordCommand('Is this helpful?')
  await deliver(body)
  const { buttons } = await waitFor(() => messagesOf(body).find((each) => each.buttons['helpful'] !== undefined))

  const asked = await deliver(press(buttons['not_helpful']))
  const reason = buttons['not_helpful']?.replace('not_helpful', 'reason')
  const thanked = await deliver(press(reason, ['incomplete']))
  const stored = await waitForFeedback()

  expect(asked).toMatchObject({ type: 4, data: { flags: 64, components: [{ components: [{ custom_id: reason }] }] } })
  expect(thanked).toMatchObject({ type: 7, data: { content: 'Thank you.', components: [] } })
  expect(stored).toMatchObject({ helpful: false, reason: 'incomplete' })
})

async function waitForFeedback(): Promise<unknown> {
  for (;;) {
    const response = await docent.get('/admin/v1/feedback', asAdmin)
    const { items } = (await response.json()) as { items: { reason: string | null }[] }
    if (items[0]?.reason != null) return items[0]
  }
}

it('answers the ping of Discord, and refuses what Discord has not signed within five minutes', async () => {
  const ping = JSON.stringify({ type: 1, id: '1', application_id: '2', token: 't', version: 1 })
  const signed = signForDiscord(ping, now())

  expect(await deliver(ping)).toEqual({ status: 200, type: 1 })
  for (const headers of [
    signForDiscord(`${ping} `, now()),
    signForDiscord(ping, now() - 301),
    { ...signed, 'x-signature-timestamp': `${now() + 1}` },
    { ...signed, 'x-signature-ed25519': 'zz' },
    {},
  ]) {
    expect(await deliver(ping, headers)).toMatchObject({ status: 401 })
  }
})

it('says where it does not answer, and that a command needs a question', async () => {
  const empty = await deliver(discordCommand('  '))
  await send('PATCH', { channels: [{ id: '1' }], directMessages: false })
  const elsewhere = discordCommand('How do I flash a card?')
  const direct = discordCommand('How do I flash a card?', { guild_id: undefined, channel: { type: 1 } })
  const thread = { guild_id: '9', channel_id: '2', channel: { type: 11, parent_id: '1' } }
  const inThread = await deliver(discordCommand('How do I flash a card?', thread))
  const refused = [await deliver(elsewhere), await deliver(direct)]

  expect(empty).toMatchObject({ type: 4, data: { content: 'Write your question after the command.', flags: 64 } })
  for (const reply of refused)
    expect(reply).toMatchObject({ type: 4, data: { content: expect.stringContaining('does not answer here') } })
  expect(inThread).toMatchObject({ type: 5 })
  expect([...messagesOf(elsewhere), ...messagesOf(direct)]).toEqual([])
})
