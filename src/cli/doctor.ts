import { constants } from 'node:fs'
import { access, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { locateDataFolder, readServerAddress, type ServerAddress } from '../app/data-folder.ts'
import { requireInstallation } from '../app/require-installation.ts'
import { describeSpendingOf } from '../app/site-ceilings.ts'
import { warnPlainHttp } from '../app/warn-plain-http.ts'
import { systemClock } from '../base/clock.ts'
import { SettingsError } from '../config/load-settings.ts'
import { nameCommand } from '../config/name-command.ts'
import { readEnvironment } from '../config/read-environment.ts'
import type { Settings } from '../config/settings.ts'
import type { HealthPart } from '../contract/service-health.ts'
import { gitVersion } from '../git/git-version.ts'
import { checkEmbeddingModel } from '../models/embeddings/check-embedding-model.ts'
import { checkModel } from '../models/calls/check-model.ts'
import { openEmbeddingModel } from '../models/embeddings/open-embedding-model.ts'
import { unlimitedAccount } from '../models/calls/model-account.ts'
import { createEachModel } from '../models/model-registry.ts'
import { sleep } from '../base/sleep.ts'
import { silentLog } from '../telemetry/log.ts'
import { checkBots } from './check-bots.ts'
import { checkConnectedSites } from './check-connected-sites.ts'
import { listReadingWarnings } from './check-readings.ts'
import { listServerFaults, listStoredFaults } from './check-stored.ts'
import { findServer } from './connect.ts'
import type { Output } from './output.ts'
import { countOf } from '../contract/count-of.ts'
import { withStore } from './with-store.ts'

/** Result of one check. The message is a sentence and, on failure, says what to do. */
interface Finding {
  check:
    | 'settings'
    | 'address'
    | 'data folder'
    | 'database'
    | 'access'
    | 'stored'
    | 'git'
    | 'model'
    | 'spending'
    | 'embedding'
    | 'site'
    | 'bot'
  isFine: boolean
  /** Works, but needs attention. */
  isWarning?: boolean
  message: string
}

const serverTimeoutMs = 5_000
const gitTimeoutMs = 15_000

/**
 * `docent doctor`: checks everything an installation needs, one sentence each.
 *
 * @returns Whether everything passed.
 */
export async function doctor(output: Output, read: () => Settings = readEnvironment): Promise<boolean> {
  const findings: Finding[] = []
  for await (const finding of examine(read)) {
    findings.push(finding)
    output.write(`${labelOf(finding)}${finding.check.padEnd(13)}${finding.message}\n`)
  }
  const wrong = findings.filter(({ isFine }) => !isFine).length
  const warnings = findings.filter(({ isWarning }) => isWarning === true).length
  output.result({ isFine: wrong === 0, findings }, () => describeCount(wrong, warnings))
  return wrong === 0
}

function labelOf({ isFine, isWarning = false }: Finding): string {
  if (!isFine) return 'FAIL   '
  return isWarning ? 'WARN   ' : 'ok     '
}

function describeCount(wrong: number, warnings: number): string {
  if (wrong === 0 && warnings > 0) return 'Everything works. Check the lines marked WARN.'
  if (wrong === 0) return 'Everything works.'
  return `${countOf(wrong, 'check')} failed.`
}

async function* examine(read: () => Settings): AsyncGenerator<Finding> {
  let settings: Settings
  try {
    settings = read()
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    yield* error.faults.map(({ where, message }) => report('settings', false, `${where} ${message}.`))
    return
  }
  yield report('settings', true, 'The settings are valid.')
  const plainHttp = warnPlainHttp(settings)
  if (plainHttp !== null) yield { check: 'address', isFine: true, isWarning: true, message: plainHttp }
  const folder = await attempt('data folder', () => checkDataFolder(settings))
  yield folder
  const database = folder.isFine ? await attempt('database', () => checkDatabase(settings)) : null
  if (database !== null) yield database
  if (database?.isFine === true) yield report('access', true, describeAccess())
  if (database?.isFine === true) yield* checkStored(settings)
  yield await checkGit()
  yield* checkModels(settings)
  yield* describeSpendingOf(settings).map((note) => report('spending', true, note))
  yield* checkEmbedding(settings)
  if (database?.isFine === true) yield* checkSites(settings)
}

function report(check: Finding['check'], isFine: boolean, message: string): Finding {
  return { check, isFine, message }
}

/** @param look Resolves to a sentence, or throws what is wrong. */
async function attempt(check: Finding['check'], look: () => Promise<string>): Promise<Finding> {
  try {
    return report(check, true, await look())
  } catch (error) {
    return report(check, false, error instanceof Error ? error.message : String(error))
  }
}

/** Does not create the folder; that is left to the first start. */
async function checkDataFolder(settings: Settings): Promise<string> {
  const { path } = locateDataFolder(settings)
  try {
    const existing = await findExistingFolder(path)
    if (existing !== path) {
      await access(existing, constants.W_OK)
      return `${path} does not exist yet; the first start creates it.`
    }
    const probe = join(path, `.doctor-${process.pid}`)
    await writeFile(probe, '')
    await rm(probe)
    return `${path} is writable.`
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `${settings.dataFolder} is not writable: ${reason}. Set DOCENT_DATA to a folder that this user can write to.`,
      { cause: error },
    )
  }
}

/** The path itself, or its nearest existing ancestor. */
async function findExistingFolder(path: string): Promise<string> {
  const isThere = await access(path).then(
    () => true,
    (error: unknown) => !(error instanceof Error && 'code' in error && error.code === 'ENOENT'),
  )
  return isThere ? path : findExistingFolder(dirname(path))
}

/** A running server locks the embedded database, so it is asked instead. */
async function checkDatabase(settings: Settings): Promise<string> {
  const address = await readServerAddress(locateDataFolder(settings))
  const answer = address === null ? null : await askServer(address)
  if (answer !== null) return answer
  await requireInstallation(settings)
  return withStore(settings, async (store) => {
    await store.ping()
    return store.dialect === 'sqlite' ? 'The embedded database can be opened.' : 'PostgreSQL responds.'
  })
}

/** Stored data may be damaged, or sealed with another key, even if the database responds. */
async function* checkStored(settings: Settings): AsyncGenerator<Finding> {
  try {
    const address = await findServer(settings)
    if (address === null) yield* (await listStoredFaults(settings)).map((fault) => report('stored', false, fault))
    else yield* (await listServerFaults(address)).map(describePart)
  } catch (error) {
    yield report('stored', false, error instanceof Error ? error.message : String(error))
  }
}

function describePart({ state, message }: HealthPart): Finding {
  return { check: 'stored', isFine: state !== 'failed', isWarning: state === 'warning', message }
}

const readinessSchema = z.object({ reasons: z.array(z.string()) })

/**
 * @returns Null if no server answers at this address. @throws {Error} with the server's reasons for not being ready.
 */
async function askServer({ url }: ServerAddress): Promise<string | null> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(serverTimeoutMs) }).catch(() => null)
  if (response === null) return null
  const { reasons } = readinessSchema.parse(await response.json())
  if (response.ok) return `The server at ${url} is running and uses it.`
  throw new Error(`The server at ${url} is not ready: ${reasons.join(' ')}`)
}

function describeAccess(): string {
  return `docent owner-link creates a sign-in link for the owner, and docent key create creates keys: run "${nameCommand('owner-link')}" or "${nameCommand('key create')}".`
}

async function checkGit(): Promise<Finding> {
  const git = await gitVersion(AbortSignal.timeout(gitTimeoutMs))
  return report('git', git.isUsable, git.isUsable ? `git ${git.version} is supported.` : git.message)
}

async function* checkModels(settings: Settings): AsyncGenerator<Finding> {
  const deps = { clock: systemClock, sleep, random: Math.random, log: silentLog }
  try {
    for (const model of await createEachModel(deps, settings)) {
      const signal = AbortSignal.timeout(settings.modelCallSeconds * 1_000)
      const check = await checkModel(model.billTo(unlimitedAccount), () => systemClock.now(), signal)
      yield report(
        'model',
        check.isUsable,
        check.isUsable
          ? `${check.modelId} answered in ${check.tookMs} ms.`
          : `${check.message} It replied "${check.said}".`,
      )
    }
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    yield* error.faults.map(({ where, message }) => report('model', false, `${where} ${message}.`))
  }
}

/** Reports nothing if no embedding model is set: searches then use words only. */
async function* checkEmbedding(settings: Settings): AsyncGenerator<Finding> {
  try {
    const model = await openEmbeddingModel(settings)
    if (model === null) return
    const check = await checkEmbeddingModel({ clock: systemClock }, model, new AbortController().signal)
    yield report(
      'embedding',
      check.isUsable,
      check.isUsable
        ? `${check.modelId} returned a vector of ${check.dimensions} dimensions in ${check.tookMs} ms.${check.description === null ? '' : ` It is ${check.description}.`}`
        : check.message,
    )
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    yield* error.faults.map(({ where, message }) => report('embedding', false, `${where} ${message}.`))
  }
}

async function* checkSites(settings: Settings): AsyncGenerator<Finding> {
  try {
    const reports = await checkConnectedSites(settings)
    yield* reports.map(({ isFine, message }) => report('site', isFine, message))
    const warnings = await listReadingWarnings(settings)
    yield* warnings.map((message) => ({ check: 'site' as const, isFine: true, isWarning: true, message }))
    const bots = await checkBots(settings)
    yield* bots.map(({ isFine, message }) => report('bot', isFine, message))
  } catch (error) {
    yield report('site', false, error instanceof Error ? error.message : String(error))
  }
}
