import { randomBytes } from 'node:crypto'
import { systemClock, type Clock } from '../base/clock.ts'
import { createIdSource, type IdSource } from '../base/ids.ts'
import type { Settings } from '../config/settings.ts'
import type { ResilientModelDeps } from '../models/resilient-model.ts'
import { sleep } from '../models/sleep.ts'
import { SiteSecrets } from '../sites/site-secrets.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { type DataFolder, deriveSecret, openDataFolder, readMasterSecret } from './data-folder.ts'

export interface FoundationInput {
  settings: Settings
  log: Log
  /** Where clients reach the server. */
  baseUrl: string
  clock?: Clock
}

/** What every part of the service stands on. */
export interface Foundation {
  settings: Settings
  log: Log
  baseUrl: string
  clock: Clock
  ids: IdSource
  randomBytes: (size: number) => Buffer
  folder: DataFolder
  store: Store
  secrets: SiteSecrets
  /** What calls of models need. */
  modelDeps: ResilientModelDeps
  /** Names this process in leases. */
  owner: string
  /** A secret of this installation for one purpose, the same at every start. */
  deriveKey(purpose: string): Buffer
}

/** @throws {Error} with a sentence, when the data folder or the database cannot be used; nothing is left open then. */
export async function openFoundation(input: FoundationInput): Promise<Foundation> {
  const { settings, log, baseUrl, clock = systemClock } = input
  const folder = await openDataFolder(settings)
  const store = await openStore({ databaseUrl: settings.databaseUrl, folder: folder.path, log })
  try {
    const master = await readMasterSecret(folder, settings)
    const deriveKey = (purpose: string) => deriveSecret(master, purpose)
    const secrets = new SiteSecrets(deriveKey('sites'))
    const ids = createIdSource(clock)
    const modelDeps = { clock, sleep, random: Math.random, log }
    const owner = ids.prefixed('worker')
    return { settings, log, baseUrl, clock, ids, randomBytes, folder, store, secrets, modelDeps, owner, deriveKey }
  } catch (error) {
    await store.close()
    throw error
  }
}
