import { createSecretKey, randomBytes } from 'node:crypto'
import { parseTrustedProxies } from '../access/client-address.ts'
import { KeyDirectory } from '../access/key-directory.ts'
import { systemClock, type Clock } from '../base/clock.ts'
import { createIdSource } from '../base/ids.ts'
import type { Settings } from '../config/settings.ts'
import type { ChatModel } from '../models/chat-model.ts'
import { createChatModel } from '../models/model-registry.ts'
import { sleep } from '../models/sleep.ts'
import { Mirrors } from '../git/mirrors.ts'
import { createSearchEngine } from '../search/search-engine.ts'
import { createServer, type DocentServer } from '../server/create-server.ts'
import { Lifecycle } from '../server/lifecycle.ts'
import { startCountdown } from '../server/streams/countdown.ts'
import { KeptStreams } from '../server/streams/kept-streams.ts'
import { requestSync, requestSyncs } from '../sites/create-site.ts'
import { LiveSites } from '../sites/live-sites.ts'
import { SiteSecrets } from '../sites/site-secrets.ts'
import { maskAnswers } from '../store/mask-answers.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { createWriteGroup } from '../store/write-group.ts'
import type { Log } from '../telemetry/log.ts'
import { IndexWorker } from '../worker/index-worker.ts'
import { RetentionWorker } from '../worker/retention-worker.ts'
import { SourcePoller } from '../worker/source-poller.ts'
import { type DataFolder, deriveSecret, openDataFolder, readMasterSecret } from './data-folder.ts'
import { type FirstStart, makeFirstStart } from './first-start.ts'

/** Shortest time between two durable commits of answers. */
const commitIntervalMs = 5

export interface BuildServiceInput {
  settings: Settings
  log: Log
  /** Where clients reach the server. */
  baseUrl: string
  /** The token of commands on this machine. */
  localToken: string
  demoFolder: string
  clock?: Clock
  /** Instead of the model that the settings name, in tests and benchmarks. */
  model?: ChatModel
}

/** Everything of one process, wired. Nothing runs yet: see `start`. */
export interface Service {
  server: DocentServer
  lifecycle: Lifecycle
  store: Store
  folder: DataFolder
  /** What the first start made; null on every other. */
  firstStart: FirstStart | null
  /** Takes up work and answers requests. */
  start(): Promise<void>
  /** Stops taking up work and lets go of everything. Answers must have ended. */
  close(): Promise<void>
}

/**
 * Builds the service out of its settings: the only place that makes parts and hands them to each other.
 *
 * @throws {Error} with a sentence, when the data folder or the database cannot be used; nothing is left open then.
 */
export async function buildService(input: BuildServiceInput): Promise<Service> {
  const { settings, log, baseUrl } = input
  const clock = input.clock ?? systemClock
  const ids = createIdSource(clock)
  const model = input.model ?? (await createChatModel({ clock, sleep, random: Math.random, log }, settings))
  const trustedProxies = parseTrustedProxies(settings.trustProxy)
  const folder = await openDataFolder(settings)
  const store = await openStore({ databaseUrl: settings.databaseUrl, folder: folder.path, log })
  try {
    const master = await readMasterSecret(folder, settings)
    const secrets = new SiteSecrets(deriveSecret(master, 'sites'))
    const making = { store, clock, ids, secrets, randomBytes }
    const firstStart = await makeFirstStart(making, settings, input.demoFolder)
    const search = createSearchEngine({ log })
    const rebuildIndex = (siteId: string, error: unknown) => {
      log.warn({ siteId, error }, 'index-unreadable')
      requestSync(making, siteId, 'index-unreadable').then(
        () => worker.wake(),
        (reason: unknown) => log.error({ siteId, error: reason }, 'sync-request-failed'),
      )
    }
    const sites = new LiveSites({
      store,
      clock,
      search,
      secrets,
      indexFolder: folder.indexes,
      baseUrl,
      onUnreadable: rebuildIndex,
    })
    const groupedWrites = createWriteGroup(store, { intervalMs: commitIntervalMs })
    const writes = settings.maskStored ? maskAnswers(groupedWrites) : groupedWrites
    const lifecycle = new Lifecycle()
    const streams = new KeptStreams({
      store,
      clock,
      ids,
      log,
      graceMs: settings.resumeGraceSeconds * 1_000,
      startCountdown,
      drainSignal: lifecycle.streamsEnd,
    })
    const owner = ids.prefixed('worker')
    const mirrors = new Mirrors({ folder: folder.mirrors, allowsPrivateAddresses: settings.allowPrivateAddresses })
    const worker = new IndexWorker({
      ...making,
      log,
      owner,
      mirrors,
      indexFolder: folder.indexes,
      parsedFolder: folder.parsed,
      onPublished: () => sites.forget(),
    })
    const poller = new SourcePoller({
      ...making,
      log,
      mirrors,
      indexFolder: folder.indexes,
      parsedFolder: folder.parsed,
      repositoryIntervalMs: settings.pollMinutes * 60_000,
      onQueued: () => worker.wake(),
    })
    const retention = new RetentionWorker({ store, clock, log, retentionDays: settings.retentionDays })
    const server = createServer({
      ...making,
      log,
      keys: new KeyDirectory(store, clock),
      sites,
      answers: { store, writes, clock, ids, model, threadKeySecret: createSecretKey(deriveSecret(master, 'threads')) },
      streams,
      masksStored: settings.maskStored,
      lifecycle,
      wakeWorker: () => worker.wake(),
      localToken: input.localToken,
      trustedProxies,
      baseUrl,
      limits: {
        keyPerMonth: settings.limitKeyPerMonth,
        organizationPerHour: settings.limitOrgPerHour,
        addressPerDay: settings.limitIpPerDay,
        searchPerHour: settings.limitSearchPerHour,
      },
    })
    return {
      server,
      lifecycle,
      store,
      folder,
      firstStart,
      async start() {
        // Sources may have changed while nothing ran; a source that has not costs a look.
        await requestSyncs(making)
        lifecycle.serve()
        worker.start()
        retention.start()
        if (settings.pollMinutes > 0) poller.start()
      },
      async close() {
        await Promise.all([poller.stop(), worker.stop(), retention.stop()])
        // Answers that nobody reads any more still run; they are stored as far as they have come.
        await streams.close()
        await writes.close()
        await search.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
