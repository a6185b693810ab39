import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  signForSlack,
  signingSecret,
  slackBotUser,
  slackEvent,
  type SlackServer,
  slackToken,
  startSlackServer,
} from '../support/slack-server.ts'
import { adminKey, copyUsualFirstStart } from '../support/start-docent.ts'
import { insist } from './insist.ts'
import { createSeededRandom } from './seeded-random.ts'
import { startVictim, type Victim } from './start-victim.ts'

export interface KillBotOptions {
  kills: number
  seed: number
  /** Told of each kill. */
  onKill?: (report: { kill: number; afterMs: number }) => void
}

/** Four questions of a small site take about this long. */
const killAfterMsMax = 350
const questionsPerKill = 4
const answeredMsMax = 60_000

/**
 * Kills the process at random moments while it answers questions of a chat.
 *
 * @returns A sentence for every question that was acknowledged and is not answered by exactly one message.
 */
export async function killBot({ kills, seed, onKill }: KillBotOptions): Promise<string[]> {
  const random = createSeededRandom(seed)
  const folder = await mkdtemp(join(tmpdir(), 'docent-bot-chaos-'))
  await copyUsualFirstStart(folder)
  await using slack = await startSlackServer()
  const start = () => startVictim(folder, { DOCENT_ADMIN_KEY: adminKey, DOCENT_SLACK_URL: slack.url })
  let victim = await start()
  try {
    await connect(victim)
    const asked: string[] = []
    for (let kill = 1; kill <= kills; kill++) {
      const times = Array.from(
        { length: questionsPerKill },
        (_, index) => `${1_780_000_000 + kill * 10 + index}.000100`,
      )
      const asking = Promise.all(times.map((ts) => ask(() => victim, ts)))
      const afterMs = Math.round(random() * killAfterMsMax)
      await wait(afterMs)
      await victim.kill()
      onKill?.({ kill, afterMs })
      victim = await start()
      await asking
      asked.push(...times)
    }
    return await judge(slack, asked)
  } finally {
    await victim.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

async function connect({ url }: Victim): Promise<void> {
  const settings = { userPerHour: 1_000_000, channelPerHour: 1_000_000, workspacePerDay: 1_000_000 }
  const response = await fetch(`${url}/admin/v1/sites/docs/bots/slack`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ token: slackToken, signingSecret, settings }),
  })
  if (!response.ok) throw new Error(await response.text())
}

/** Delivers a question until it is acknowledged, as Slack does. */
async function ask(victim: () => Victim, ts: string): Promise<void> {
  const body = slackEvent({ type: 'app_mention', text: `<@${slackBotUser}> What does the code E-42 mean?`, ts })
  await insist(async () => {
    const signature = signForSlack(body, Math.floor(Date.now() / 1_000))
    const headers = { 'content-type': 'application/json', ...signature }
    const response = await fetch(`${victim().url}/webhooks/bots/slack/docs`, { method: 'POST', headers, body })
    return response.status === 200 ? response.status : null
  })
}

async function judge({ messages }: SlackServer, asked: readonly string[]): Promise<string[]> {
  const answersTo = (ts: string) => messages.filter(({ thread }) => thread === ts)
  const isAnswered = (ts: string) => answersTo(ts).some(({ buttons }) => buttons['helpful'] !== undefined)
  const until = Date.now() + answeredMsMax
  while (Date.now() < until && !asked.every(isAnswered)) await wait(200)
  return asked
    .filter((ts) => !isAnswered(ts) || answersTo(ts).length !== 1)
    .map((ts) => `The question ${ts} has ${answersTo(ts).length} messages, answered: ${isAnswered(ts)}.`)
}
