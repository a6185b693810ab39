import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { systemClock, type Clock } from '../base/clock.ts'
import { createIdSource, type IdSource } from '../base/ids.ts'
import { CodeHostAppSecrets } from '../codehost/code-host-app-secrets.ts'
import type { Settings } from '../config/settings.ts'
import { ReadingPace } from '../models/calls/reading-pace.ts'
import type { ResilientModelDeps } from '../models/calls/resilient-model.ts'
import { sleep } from '../base/sleep.ts'
import { SiteSecrets } from '../sites/site-secrets.ts'
import { DatabaseClock } from '../store/database-clock.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { type DataFolder, deriveSecret, openDataFolder } from './data-folder.ts'
import { listSealedFaults } from './sealed-values.ts'
import { readMasterSecret } from './secret-key.ts'
import { createSharedStorage, type SharedStorage } from './create-shared-storage.ts'
import { tightenDataFolder } from './tighten-data-folder.ts'
import { loadTelemetry, type LoadedTelemetry } from './load-telemetry.ts'

export interface FoundationInput {
  settings: Settings
  log: Log
  /** Where clients reach the server. */
  baseUrl: string
  /** Replaces the machine's or the database's clock in tests. */
  clock?: Clock
}

/** What every part of the service is built on. */
export interface Foundation extends Partial<SharedStorage> {
  settings: Settings
  log: Log
  telemetry: LoadedTelemetry
  baseUrl: string
  /** The database's time if several processes may share the database. */
  clock: Clock
  ids: IdSource
  randomBytes: (size: number) => Buffer
  folder: DataFolder
  store: Store
  secrets: SiteSecrets
  /** Secrets of the Apps on code hosts. */
  appSecrets: CodeHostAppSecrets
  /** What model calls use. */
  modelDeps: ResilientModelDeps
  /** Identifies this process in leases. */
  owner: string
  /** A sentence for each stored secret that the secret key does not open. */
  listLostSecrets(): Promise<string[]>
  /** A secret of this installation for one purpose, the same at every start. */
  deriveKey(purpose: string): Buffer
}

/** @throws {Error} a sentence, if the data folder or the database cannot be used; then nothing stays open. */
export async function openFoundation(input: FoundationInput): Promise<Foundation> {
  const { settings, log, baseUrl } = input
  const folder = await openDataFolder(settings)
  const telemetry = await loadTelemetry(settings, log)
  const measured = telemetry.prometheus !== null || telemetry.tracer !== null
  const opened = await openStore({
    databaseUrl: settings.databaseUrl,
    folder: folder.path,
    log,
    metrics: measured ? telemetry.metrics : undefined,
  })
  const { clock, store } = input.clock === undefined ? shareTime(opened) : { clock: input.clock, store: opened }
  try {
    // Only now is the folder known to belong to the service.
    const { rest } = await tightenDataFolder(folder.path)
    rest.catch((error: unknown) => log.warn({ error }, 'data-folder-not-tightened'))
    if (clock instanceof DatabaseClock) await clock.start()
    const master = await readMasterSecret({ store, folder, settings })
    const listLostSecrets = () => listSealedFaults(store, master)
    for (const sentence of await listLostSecrets()) log.error({ sentence }, 'stored-secret-unreadable')
    const deriveKey = (purpose: string) => deriveSecret(master, purpose)
    const secrets = new SiteSecrets(deriveKey('sites'))
    const appSecrets = new CodeHostAppSecrets(deriveKey('code-host-apps'))
    const ids = createIdSource(clock)
    const pace = new ReadingPace({
      now: () => performance.now(),
      readLoop: (previous) => performance.eventLoopUtilization(previous),
    })
    const modelDeps = { clock, sleep, random: Math.random, log, metrics: telemetry.metrics, pace }
    const owner = ids.prefixed('worker')
    const shared = await createSharedStorage({ store, clock, ids, log, folder, settings })
    return {
      ...shared,
      settings,
      log,
      telemetry,
      baseUrl,
      clock,
      ids,
      randomBytes,
      folder,
      store,
      secrets,
      appSecrets,
      modelDeps,
      owner,
      listLostSecrets,
      deriveKey,
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Replicas use the clock of their database, because the clocks of their machines differ. */
function shareTime(store: Store): { clock: Clock; store: Store } {
  if (store.dialect !== 'postgres') return { clock: systemClock, store }
  const clock = new DatabaseClock(store, () => performance.now())
  const close = () => {
    clock.stop()
    return store.close()
  }
  return { clock, store: { ...store, close } }
}
