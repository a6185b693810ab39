import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { botSchema } from '../../src/contract/bots.ts'
import { waitFor } from '../support/chat-server.ts'
import {
  discordCommand,
  type DiscordServer,
  discordToken,
  signForDiscord,
  startDiscordServer,
} from '../support/discord-server.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { readAddress, runCommand, type RunningCommand } from '../support/run-command.ts'
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts'
import { settleBots } from '../support/settle-bots.ts'
import {
  signForSlack,
  signingSecret,
  slackBotUser,
  slackEvent,
  type SlackServer,
  slackToken,
  startSlackServer,
} from '../support/slack-server.ts'
import { copyUsualFirstStart } from '../support/start-docent.ts'
import { waitUntilReady } from '../support/wait-until-ready.ts'

// A busy machine must not turn it red.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let slack: SlackServer
let discord: DiscordServer
let model: ScriptedProvider
let folder: string
let gate: PromiseWithResolvers<void>
let running: RunningCommand | undefined
beforeAll(async () => {
  slack = await startSlackServer()
  discord = await startDiscordServer()
  model = await startScriptedProvider(async () => {
    await gate.promise
    return { text: 'Insert the card and press Start.' }
  })
})
afterAll(async () => {
  await model.close()
  await slack[Symbol.asyncDispose]()
  await discord[Symbol.asyncDispose]()
})
beforeEach(async () => {
  gate = Promise.withResolvers()
  folder = await mkdtemp(join(tmpdir(), 'docent-test-'))
  await copyUsualFirstStart(folder)
})
afterEach(async () => {
  await kill()
  await rm(folder, { recursive: true, force: true })
})

async function kill(): Promise<void> {
  running?.child.kill('SIGKILL')
  await running?.exit
}

/** @returns The address of the server. */
async function start(): Promise<string> {
  running = runCommand(['start'], {
    DOCENT_DATA: folder,
    PORT: '0',
    DOCENT_SLACK_URL: slack.url,
    DOCENT_DISCORD_API_URL: discord.url,
    DOCENT_MODEL: 'openai-compatible/scripted',
    DOCENT_MODEL_BASE_URL: model.url,
  })
  const url = await readAddress(running)
  await waitUntilReady(url)
  return url
}

interface Platform {
  name: 'slack' | 'discord'
  connect: object
  /** A question as the platform delivers it. */
  body: string
  sign(body: string, now: number): Record<string, string>
  /** The messages of the conversation. */
  messages(): { text: string; isDone: boolean }[]
}

const thread = '1771290000.000100'
const command = discordCommand('How do I flash a card?')
const platforms: Platform[] = [
  {
    name: 'slack',
    connect: { token: slackToken, signingSecret },
    body: slackEvent({ type: 'app_mention', text: `<@${slackBotUser}> How do I flash a card?`, ts: thread }),
    sign: signForSlack,
    messages: () =>
      slack.messages
        .filter((message) => message.thread === thread)
        .map(({ text, buttons }) => ({ text, isDone: buttons['helpful'] !== undefined })),
  },
  {
    name: 'discord',
    connect: { token: discordToken },
    body: command,
    sign: signForDiscord,
    messages: () =>
      discord.messages
        .filter(({ place }) => place === (JSON.parse(command) as { token: string }).token)
        .map(({ content, buttons }) => ({ text: content, isDone: buttons['helpful'] !== undefined })),
  },
]

it.each(platforms)('gives one answer on $name if the program is killed in the middle of it', async (platform) => {
  const { name, connect, body, sign, messages } = platform
  const first = await start()
  const headers = { 'content-type': 'application/json' }
  const connected = await fetch(`${first}/admin/v1/sites/docs/bots/${name}`, {
    method: 'PUT',
    headers: { ...headers, ...asAdmin },
    body: JSON.stringify(connect),
  })
  const bot = botSchema.parse(await connected.json())
  const deliver = (url: string) => {
    const signed = sign(body, Math.floor(Date.now() / 1_000))
    return fetch(url + new URL(bot.url).pathname, { method: 'POST', headers: { ...headers, ...signed }, body })
  }
  const askedBefore = model.requests.length

  const accepted = await deliver(first)
  await waitFor(() => model.requests[askedBefore])
  await kill()
  gate.resolve()
  const second = await start()
  // Platforms deliver again what was not answered in time.
  const repeated = await deliver(second)
  await waitFor(() => messages().find(({ isDone }) => isDone))
  await settleBots(second)

  expect([accepted.status, repeated.status]).toEqual([200, 200])
  expect(messages()).toEqual([{ text: expect.stringContaining('Insert the card and press Start.'), isDone: true }])
})
