import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { createGitRepository, type GitRepository } from '../../test/support/git-repository.ts'
import { type GitServer, startGitServer } from '../../test/support/git-server.ts'
import { createIdSource } from '../base/ids.ts'
import { CodeHostAppSecrets } from '../codehost/code-host-app-secrets.ts'
import { startTestSite, type TestReply } from '../../test/support/crawl-test-server.ts'
import { Mirrors } from '../git/remotes/mirrors.ts'
import { Forges } from '../sites/forges.ts'
import { IndexProcesses } from '../sites/indexing/index-processes.ts'
import { SiteSecrets } from '../sites/site-secrets.ts'
import { syncSite } from '../sites/indexing/sync-site.ts'
import { getCurrentIndexGeneration } from '../store/sites/index-generations.ts'
import { claimIndexRun, finishIndexRun, listIndexRuns } from '../store/sites/index-runs.ts'
import { openStore } from '../store/open-store.ts'
import { insertOrganization } from '../store/accounts/organizations.ts'
import { insertProject } from '../store/accounts/projects.ts'
import { insertSite, type SiteSource } from '../store/sites/sites.ts'
import type { Store } from '../store/store.ts'
import { silentLog } from '../telemetry/log.ts'
import { SourcePoller } from './source-poller.ts'

let folder: string
let store: Store
let origin: GitRepository
let server: GitServer
let now = 1_000_000
// Shared, because a thread takes seconds to load.
const indexProcesses = new IndexProcesses()

const clock = { now: () => now }
const ids = createIdSource(clock)
const minutes = 60_000

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-poll-'))
  store = await openStore({ folder: join(folder, 'data') })
  origin = await createGitRepository()
  await origin.write('index.md', '# One\n')
  origin.commit()
  server = await startGitServer({ folder: origin.outside })
  await insertOrganization(store.durable, { id: 'org', name: 'O', createdAt: now })
  await insertProject(store.durable, { id: 'project', organizationId: 'org', name: 'P', createdAt: now })
})
afterAll(() => indexProcesses.close())
afterEach(async () => {
  await server.stop()
  await store.close()
  await origin.remove()
  await rm(folder, { recursive: true, force: true })
})

const deps = () => {
  const secrets = new SiteSecrets(Buffer.alloc(32))
  const mirrors = new Mirrors({ folder: join(folder, 'mirrors'), allowsPrivateAddresses: true })
  const forges = new Forges({
    store,
    clock,
    log: silentLog,
    mirrors,
    secrets,
    appSecrets: new CodeHostAppSecrets(Buffer.alloc(32)),
    allowsPrivateAddresses: true,
    fetch,
    sleep: async () => {},
    random: () => 0,
  })
  return { ...ownDeps(), secrets, mirrors, forges, indexProcesses }
}
const ownDeps = () => ({
  store,
  clock,
  ids,
  log: silentLog,
  indexFolder: join(folder, 'indexes'),
  parsedFolder: join(folder, 'parsed'),
  driftFolder: join(folder, 'drift'),
  vectorFolder: join(folder, 'vectors'),
  repositoryFolder: join(folder, 'repositories'),
  crawlFolder: join(folder, 'crawls'),
  allowsPrivateAddresses: true,
  onPublished: () => {},
})
const poller = (crawlIntervalMs: number | null = 24 * 60 * minutes) =>
  new SourcePoller({ ...deps(), repositoryIntervalMs: 5 * minutes, crawlIntervalMs, onQueued: () => {} })

async function addSite(source: { kind: SiteSource['kind']; location: string }): Promise<string> {
  const id = ids.prefixed('site')
  await insertSite(store.durable, {
    id,
    projectId: 'project',
    slug: id.toLowerCase().replace('_', '-'),
    name: 'S',
    hostnames: [],
    baseUrl: null,
    source: { ...source, ref: null, subdirectory: '' },
    settings: {},
    identitySecretSealed: null,
    sourceCredentialSealed: null,
    createdAt: now,
  })
  return id
}

/** Works through the queue. @returns How each run ended. */
async function workOff(): Promise<(string | null)[]> {
  const failures: (string | null)[] = []
  for (;;) {
    const run = await claimIndexRun(store.durable, { now, leaseUntil: now + 30_000 })
    if (run === null) return failures
    const failure = await syncSite(deps(), run, new AbortController().signal).then(
      () => null,
      (error: Error) => error.message,
    )
    failures.push(failure)
    await finishIndexRun(store.durable, { ...run, failure, finishedAt: now })
  }
}

it('checks a repository every five minutes, and queues a sync only if it has changed', async () => {
  await addSite({ kind: 'git', location: `${server.url}/repository` })
  expect(await poller().poll()).toBe(1)
  expect(await workOff()).toEqual([null])
  const asked = server.requests.length

  now += 4 * minutes
  expect(await poller().poll()).toBe(0)
  expect(server.requests.length).toBe(asked)
  now += minutes
  expect(await poller().poll()).toBe(0)
  expect(server.requests.length).toBe(asked + 2)
  await origin.write('index.md', '# Two\n')
  origin.commit()
  now += 5 * minutes
  expect(await poller().poll()).toBe(1)
  expect(await workOff()).toEqual([null])
})

it('checks a folder every minute, and a local repository every five', async () => {
  await addSite({ kind: 'git', location: origin.folder })
  await addSite({ kind: 'folder', location: origin.folder })
  expect(await poller().poll()).toBe(2)
  await workOff()

  now += minutes
  const unchanged = await poller().poll()
  await origin.write('more.md', '# More\n')
  now += minutes
  const folderChanged = await poller().poll()
  await workOff()
  origin.commit()
  now += 5 * minutes
  const committed = await poller().poll()

  expect({ unchanged, folderChanged, committed }).toEqual({ unchanged: 0, folderChanged: 1, committed: 1 })
})

it('is not done by several replicas at the same time', async () => {
  await addSite({ kind: 'git', location: `${server.url}/repository` })
  await poller().poll()
  await workOff()
  const asked = server.requests.length
  now += 5 * minutes

  await Promise.all(Array.from({ length: 5 }, () => poller().poll()))

  expect(server.requests.length).toBe(asked + 2)
})

it('does not retry a failed source until it changes', async () => {
  origin.git(['rm', '--quiet', 'index.md'])
  origin.commit()
  const id = await addSite({ kind: 'git', location: `${server.url}/repository` })
  await poller().poll()
  expect(await workOff()).toEqual([expect.stringContaining('No pages found')])

  now += 5 * minutes
  const again = await poller().poll()
  await origin.write('index.md', '# Two\n')
  origin.commit()
  now += 5 * minutes
  const changed = await poller().poll()

  expect({ again, changed }).toEqual({ again: 0, changed: 1 })
  expect((await listIndexRuns(store.durable, id, { limit: 10 })).items).toHaveLength(2)
})

it('crawls a site once a day unless that is turned off, and creates no new generation of unchanged pages', async () => {
  const replies: Record<string, TestReply> = { '/': '<title>One</title><main><p>Wombats.</p></main>' }
  await using site = await startTestSite(replies)
  const id = await addSite({ kind: 'crawl', location: `${site.url}/` })
  const numbers: (number | undefined)[] = []
  const crawl = async () => {
    const queued = await poller().poll()
    expect(await workOff()).toEqual(Array.from({ length: queued }, () => null))
    numbers.push((await getCurrentIndexGeneration(store.durable, id))?.number)
    return queued
  }

  const first = await crawl()
  now += 23 * 60 * minutes
  const tooEarly = await crawl()
  now += 60 * minutes
  const same = await crawl()
  replies['/'] = '<title>One</title><main><p>Numbats.</p></main>'
  now += 24 * 60 * minutes
  const changed = await crawl()
  now += 24 * 60 * minutes
  const turnedOff = await poller(null).poll()

  expect([first, tooEarly, same, changed, turnedOff]).toEqual([1, 0, 1, 1, 0])
  expect(numbers).toEqual([1, 1, 1, 2])
})
