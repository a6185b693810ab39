import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { keyCreatedSchema, siteSchema, syncRunSchema } from '../../src/contract/admin.ts'
import { searchResponseSchema } from '../../src/contract/search.ts'
import { adminKey, copyUsualFirstStart } from '../support/start-docent.ts'
import {
  type ChangingSite,
  commonWord,
  createChangingSite,
  judgePassages,
  type Look,
  passingPage,
} from './changing-site.ts'
import { createSeededRandom } from './seeded-random.ts'
import { startVictim, type Victim } from './start-victim.ts'

export interface KillIndexerOptions {
  kills: number
  seed: number
  /** Told of each kill and of what was found after it. */
  onKill?: (report: KillReport) => void
}

export interface KillReport {
  kill: number
  afterMs: number
  /** What answered after the kill: the revision before, or the one that was being indexed. */
  served: 'old' | 'new'
}

/** Runs of the sample site take about this long, so that kills fall before, in and after each of their steps. */
const killAfterMsMax = 1_000

/**
 * Kills the whole process at random moments of indexing runs and looks at what answers after each restart.
 *
 * @returns A sentence for every broken promise: none is what is wanted.
 */
export async function killIndexer(options: KillIndexerOptions): Promise<string[]> {
  const random = createSeededRandom(options.seed)
  const folder = await mkdtemp(join(tmpdir(), 'docent-chaos-'))
  await copyUsualFirstStart(folder)
  const site = await createChangingSite()
  const faults: string[] = []
  let server = await startServer(folder)
  try {
    const key = await addSite(server, site)
    for (let kill = 1; kill <= options.kills; kill++) {
      const revision = await site.advance()
      await requestSync(server)
      const afterMs = Math.round(random() * killAfterMsMax)
      await wait(afterMs)
      await server.kill()
      server = await startServer(folder)
      const first = await look(server, key)
      faults.push(...judgeAfterKill(first, revision).map((fault) => `kill ${kill} (${afterMs} ms): ${fault}`))
      options.onKill?.({ kill, afterMs, served: first.revisions[0] === revision ? 'new' : 'old' })
      faults.push(...(await judgeAfterSync(server, key, revision)).map((fault) => `kill ${kill}: ${fault}`))
    }
    return faults
  } finally {
    await server.kill()
    await site.repository.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The first answers after the restart: of the old revision or of the new one, whole, and never of both or none. */
function judgeAfterKill({ revisions, paths }: Look, revision: number): string[] {
  const [served, ...others] = revisions
  if (served === undefined) return ['nothing answered']
  if (others.length > 0) return [`a mixture of the revisions ${revisions.join(', ')} answered`]
  if (served !== revision && served !== revision - 1) return [`revision ${served} answered, which is neither`]
  const wrong = paths.filter((path) => path.startsWith('/passing-') && path !== passingPage(served))
  return wrong.map((path) => `${path} answered, which revision ${served} does not have`)
}

async function judgeAfterSync(server: ChaosServer, key: string, revision: number): Promise<string[]> {
  const failure = await finishSync(server)
  if (failure !== null) return [`the next sync failed: ${failure}`]
  const { revisions, paths } = await look(server, key)
  if (revisions.length !== 1 || revisions[0] !== revision)
    return [`after the sync revision ${revisions.join(', ')} answered instead of ${revision}`]
  return paths.includes(passingPage(revision - 1)) ? [`the deleted page ${passingPage(revision - 1)} answered`] : []
}

interface ChaosServer extends Pick<Victim, 'kill'> {
  send(path: string, init?: { body?: object; key?: string }): Promise<Response>
}

async function startServer(folder: string): Promise<ChaosServer> {
  const { url, kill } = await startVictim(folder, {})
  return {
    send: (path, { body, key = adminKey } = {}) =>
      fetch(url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    kill,
  }
}

async function addSite(server: ChaosServer, { repository }: ChangingSite): Promise<string> {
  const source = { kind: 'git', location: repository.folder }
  await server.send('/admin/v1/sites', { body: { slug: 'chaos', name: 'Chaos', source } })
  const failure = await finishSync(server)
  if (failure !== null) throw new Error(`The first sync failed: ${failure}`)
  const made = await server.send('/admin/v1/keys', { body: { kind: 'assistant', name: 'Chaos', siteId: 'chaos' } })
  return keyCreatedSchema.parse(await made.json()).secret
}

function requestSync(server: ChaosServer): Promise<Response> {
  return server.send('/admin/v1/sites/chaos/sync', { body: {} })
}

/** Waits until nothing is queued or running. @returns Why the last run failed, or null. */
async function finishSync(server: ChaosServer): Promise<string | null> {
  let run = syncRunSchema.parse(await (await requestSync(server)).json())
  while (run.state === 'queued' || run.state === 'running') {
    await wait(50)
    const site = siteSchema.parse(await (await server.send('/admin/v1/sites/chaos')).json())
    if (site.run !== null) run = site.run
  }
  return run.failure
}

async function look(server: ChaosServer, key: string): Promise<Look> {
  const response = await server.send('/discovery/v1/search/chaos', { body: { query: commonWord, pageSize: 50 }, key })
  if (!response.ok) return { revisions: [], paths: [] }
  return judgePassages(searchResponseSchema.parse(await response.json()))
}
