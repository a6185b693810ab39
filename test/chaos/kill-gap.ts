import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type GapResource, gapListSchema } from '../../src/contract/insights.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { adminKey, copyUsualFirstStart } from '../support/start-docent.ts'
import { insist } from './insist.ts'
import { createSeededRandom } from './seeded-random.ts'
import { startVictim, type Victim } from './start-victim.ts'

export interface KillGapOptions {
  kills: number
  seed: number
  /** Told of each kill. */
  onKill?: (report: { kill: number; afterMs: number }) => void
}

const question = 'What does the flumox lever of the kiosk do?'
const page = '---\ntitle: Flumox lever\n---\n\nThe flumox lever of the kiosk turns the sign on and off.\n'
/** The job, and the index with the questions that are asked again, take about this long. */
const killAfterMsMax = 2_000

/**
 * Kills the process at random moments from a question without an answer to the answer after the merge: half of the kills
 * before the pull request is merged, half of them after.
 *
 * @returns A sentence for every broken promise: none is what is wanted.
 */
export async function killGap({ kills, seed, onKill }: KillGapOptions): Promise<string[]> {
  const random = createSeededRandom(seed)
  const folder = await mkdtemp(join(tmpdir(), 'docent-gap-chaos-'))
  await copyUsualFirstStart(folder)
  const provider = await startScriptedProvider((request) =>
    request.messages.at(-1)?.role === 'user'
      ? { calls: [{ tool: 'write', input: { path: 'guides/flumox.mdx', content: page, listed: true } }] }
      : { calls: [{ tool: 'finish', input: { title: 'Explain the lever', summary: 'Readers asked for it.' } }] },
  )
  const start = () => startServer(folder, provider.url)
  let server = await start()
  const send: Send = (...request) => server.send(...request)
  const breakDown = async (first: number, last: number) => {
    for (let kill = first; kill <= last; kill++) {
      const afterMs = Math.round(random() * killAfterMsMax)
      await wait(afterMs)
      await server.kill()
      onKill?.({ kill, afterMs })
      server = await start()
    }
  }
  try {
    await send('PATCH', '/admin/v1/sites/docs', { settings: { gapJobReaders: 1 } })
    await askAsReader(send)
    const half = Math.ceil(kills / 2)
    await breakDown(1, 1)
    await insist(async () => (await readGaps(send)).find(({ jobId }) => jobId !== null) ?? null)
    await breakDown(2, half)
    const opened = await insist(async () => (await readPulls(send))[0] ?? null)
    const merge = { override: 'It was read.' }
    await insist(async () => (await send('POST', `/admin/v1/pull-requests/${opened.id}/merge`, merge)).ok || null)
    await breakDown(half + 1, kills)
    return await judge(send)
  } finally {
    await server.kill()
    await provider.close()
    await rm(folder, { recursive: true, force: true })
  }
}

type Send = (method: string, path: string, body?: object, key?: string) => Promise<Response>

async function askAsReader(send: Send): Promise<void> {
  const made = await send('POST', '/admin/v1/keys', { kind: 'assistant', name: 'k', siteId: 'docs' })
  const { secret } = (await made.json()) as { secret: string } // Of this server.
  const messages = [{ role: 'user', parts: [{ type: 'text', text: question }] }]
  await (await send('POST', '/discovery/v2/assistant/docs/message', { fp: 'reader', messages }, secret)).text()
}

async function readPulls(send: Send): Promise<{ id: string; state: string }[]> {
  const { items } = (await (await send('GET', '/admin/v1/pull-requests')).json()) as {
    items: { id: string; state: string }[] // Of this server.
  }
  return items
}

async function readGaps(send: Send): Promise<GapResource[]> {
  return gapListSchema.parse(await (await send('GET', '/admin/v1/insights/gaps?siteId=docs')).json()).items
}

async function judge(send: Send): Promise<string[]> {
  const closed = await insist(async () => {
    const gaps = await readGaps(send)
    return gaps.length > 0 && gaps.every(({ state }) => state === 'fixed') ? gaps : null
  }).catch(() => null)
  if (closed === null) return ['The gap was not closed.']
  const pulls = await readPulls(send)
  const merged = pulls.filter(({ state }) => state === 'merged')
  return [
    ...(closed.length === 1 ? [] : [`There are ${closed.length} gaps for one question.`]),
    ...(pulls.length === 1 ? [] : [`There are ${pulls.length} pull requests for one gap.`]),
    ...(merged.length === 1 ? [] : [`${merged.length} pull requests are merged.`]),
    ...(closed[0]?.retried[0]?.after.verdict === 'supported' ? [] : ['The question has no supported answer.']),
  ]
}

interface GapServer extends Pick<Victim, 'kill'> {
  send: Send
}

async function startServer(folder: string, providerUrl: string): Promise<GapServer> {
  const { url, kill } = await startVictim(folder, {
    DOCENT_BASE_URL: 'http://docs.example.com',
    DOCENT_ADMIN_KEY: adminKey,
    DOCENT_ALLOW_PRIVATE_ADDRESSES: 'true',
    DOCENT_AGENT_MODEL: 'openai-compatible/scripted',
    DOCENT_AGENT_MODEL_BASE_URL: providerUrl,
    DOCENT_AGENT_MODEL_API_KEY: 'key-of-the-provider',
  })
  return {
    send: (method, path, body, key = adminKey) =>
      fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(20_000),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    kill,
  }
}
