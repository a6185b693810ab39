import { hash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { assertBackupFile } from '../backup/archive-reader.ts'
import type { BackupManifest } from '../backup/backup-manifest.ts'
import { moveToPostgres, type MoveOutcome } from '../backup/move-to-postgres.ts'
import { restoreBackup, type RestoreOutcome } from '../backup/restore-backup.ts'
import { writeBackup } from '../backup/write-backup.ts'
import type { Clock } from '../base/clock.ts'
import type { Settings } from '../config/settings.ts'
import type { BlobContents } from '../store/blobs/blobs.ts'
import { openStore } from '../store/open-store.ts'
import type { DatabaseSnapshot } from '../store/migrations/row-reader.ts'
import { locateDataFolder, readSecretText } from './data-folder.ts'
import { productVersion } from './product-version.ts'
import { openDatabaseSnapshot } from './require-installation.ts'
import { requireSharedDatabase } from './require-shared-database.ts'
import { acceptAnySecretKey } from './secret-key.ts'
import { openContents } from './create-shared-storage.ts'

export interface BackupDeps {
  settings: Settings
  clock: Clock
  signal: AbortSignal
}

export interface BackUpOutcome {
  file: string
  bytes: number
  manifest: BackupManifest
}

/**
 * Backs up an installation while its processes run.
 *
 * @param input.target A file, or a folder in which the file is named after the current time.
 */
export async function backUp(
  { settings, clock, signal }: BackupDeps,
  input: { target: string; hasSecrets: boolean },
): Promise<BackUpOutcome> {
  const folder = locateDataFolder(settings)
  const { databaseUrl } = settings
  const createdAt = new Date(clock.now())
  const file = await chooseFile(input.target, createdAt)
  const secret = await readSecretText(folder, settings)
  const manifest = await writeBackup({
    file,
    database: databaseUrl === undefined ? 'sqlite' : 'postgres',
    openSnapshot: () => openDatabaseSnapshot(settings),
    repositories: {
      repositoryFolder: folder.repositories,
      readPack: databaseUrl === undefined ? null : (...args) => readPack(settings, ...args),
    },
    program: productVersion,
    createdAt,
    secretCheck: secret === null ? null : checkOfSecret(secret),
    secret: input.hasSecrets ? secret : null,
    signal,
  })
  return { file, bytes: (await stat(file)).size, manifest }
}

export interface RestoredInstallation extends RestoreOutcome {
  /** Whether this installation now has the secret key that the backup was made with; null if the backup has none. */
  hasSameSecret: boolean | null
}

/** Restores a backup into the configured data folder and database. */
export async function restore(
  { settings, clock, signal }: BackupDeps,
  input: { file: string; replaces: boolean },
): Promise<RestoredInstallation> {
  const { databaseUrl } = settings
  // Before the data folder is created.
  await assertBackupFile(resolve(input.file))
  const shared = databaseUrl === undefined ? null : { databaseUrl, contents: createContents(settings) }
  const dataFolder = resolve(settings.dataFolder)
  const now = clock.now()
  const outcome = await restoreBackup({ ...input, file: resolve(input.file), dataFolder, shared, now, signal })
  const secret = await readSecretText(locateDataFolder(settings), settings)
  const { secretCheck } = outcome.manifest
  const hasSameSecret = secretCheck === null ? null : secret !== null && checkOfSecret(secret) === secretCheck
  if (hasSameSecret === false) await acceptSecretOf(settings, dataFolder)
  return { ...outcome, hasSameSecret }
}

/**
 * Copies the embedded database to the configured PostgreSQL.
 *
 * @throws {SettingsError} if none is configured.
 * @throws {Error} a sentence, if the configured secret key is not the embedded database's.
 */
export async function moveDatabase(
  { settings, clock, signal }: BackupDeps,
  { replaces }: { replaces: boolean },
): Promise<MoveOutcome> {
  requireSharedDatabase(settings, 'move-to-postgres')
  const { databaseUrl, dataFolder } = settings
  await (await openDatabaseSnapshot({ dataFolder, databaseUrl: undefined })).close()
  const folder = locateDataFolder(settings)
  const generated = await readSecretText(folder, {})
  if (generated !== null && generated !== settings.secretKey) {
    throw new Error(
      `DOCENT_SECRET_KEY is not the key of the embedded database, so stored credentials would become unreadable. Set it to the content of ${join(folder.path, 'secret-key')}.`,
    )
  }
  return moveToPostgres({
    dataFolder: folder.path,
    repositoryFolder: folder.repositories,
    databaseUrl: databaseUrl ?? '',
    contents: createContents(settings),
    replaces,
    now: clock.now(),
    signal,
  })
}

async function* readPack(
  settings: Settings,
  { db }: DatabaseSnapshot,
  hashOfPack: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (db === null) throw new Error('The embedded database contains no packs.')
  yield* (await openContents({ durable: db }, settings)).read(hashOfPack, signal)
}

/** Writes within the given transaction. */
function createContents(settings: Settings): Pick<BlobContents, 'write'> {
  return {
    write: async (db, blob, signal) => (await openContents({ durable: db }, settings)).write(db, blob, signal),
  }
}

/** Values sealed with the backup's key must be set again, unless that key is set before the next start. */
async function acceptSecretOf({ databaseUrl }: Settings, folder: string): Promise<void> {
  const store = await openStore({ databaseUrl, folder })
  try {
    await acceptAnySecretKey(store)
  } finally {
    await store.close()
  }
}

/** Hashed with its own purpose, so that it reveals nothing about keys derived from the secret. */
function checkOfSecret(secret: string): string {
  return hash('sha256', `docent:backup-check:${secret}`)
}

async function chooseFile(target: string, createdAt: Date): Promise<string> {
  const path = resolve(target)
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory() !== true) return path
  return join(path, `docent-${createdAt.toISOString().slice(0, 19).replaceAll(/[:T]/g, '-')}.tar`)
}
