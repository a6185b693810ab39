import { resolve } from 'node:path'
import { backUp, moveDatabase, type RestoredInstallation, restore } from '../app/back-up.ts'
import type { BackupManifest } from '../backup/backup-manifest.ts'
import { verifyBackup } from '../backup/verify-backup.ts'
import { systemClock } from '../base/clock.ts'
import { readEnvironment } from '../config/read-environment.ts'
import type { Output } from './output.ts'

const megabyte = 1024 * 1024

/** `docent backup`: beside a running server, or without one. */
export async function backup(output: Output, input: { target: string; hasSecrets: boolean }): Promise<void> {
  const { file, bytes, manifest } = await stoppable((signal) =>
    backUp({ settings: readEnvironment(), clock: systemClock, signal }, input),
  )
  output.result({ file, bytes, ...summarize(manifest) }, () =>
    [
      `${file} holds ${describe(manifest)}, ${(bytes / megabyte).toFixed(1)} MB. Only your user can read it.`,
      manifest.secret === null
        ? 'Keep DOCENT_SECRET_KEY, or the file secret-key of the data folder, elsewhere: without it, stored credentials cannot be read after a restore.'
        : 'It holds the secret key: who has the file can read stored credentials and sign sessions. Keep it as you would keep a password.',
    ].join('\n'),
  )
}

/** `docent backup verify`. */
export async function verify(output: Output, file: string): Promise<void> {
  const manifest = await stoppable((signal) => verifyBackup(resolve(file), signal))
  output.result(
    { file, ...summarize(manifest) },
    () => `${file} is whole: ${describe(manifest)}, made by Docent ${manifest.program} at ${manifest.createdAt}.`,
  )
}

/** `docent restore`. */
export async function restoreFile(output: Output, input: { file: string; replaces: boolean }): Promise<void> {
  const restored = await stoppable((signal) =>
    restore({ settings: readEnvironment(), clock: systemClock, signal }, input),
  )
  const { manifest, rowCount, replacedFolder, hasSameSecret } = restored
  output.result({ ...summarize(manifest), rowCount, replacedFolder, hasSameSecret }, () =>
    [
      `${describe(manifest)} are restored, and every row was compared.`,
      ...describeReplaced(restored),
      'Start Docent: it builds the indexes of all sites anew, and answers for each as soon as it is done.',
    ].join('\n'),
  )
}

function describeReplaced({ replacedFolder, hasSameSecret }: RestoredInstallation): string[] {
  const replaced = replacedFolder === null ? [] : [`What was there before lies in ${replacedFolder}.`]
  if (hasSameSecret !== false) return replaced
  return [
    ...replaced,
    'The secret key is not the one that the backup was made with: set DOCENT_SECRET_KEY to that one before you start, or set stored credentials, settings and webhooks again.',
  ]
}

/** `docent move-to-postgres`. */
export async function move(output: Output, input: { replaces: boolean }): Promise<void> {
  const { sums, repositoryCount } = await stoppable((signal) =>
    moveDatabase({ settings: readEnvironment(), clock: systemClock, signal }, input),
  )
  const rowCount = [...sums.values()].reduce((sum, table) => sum + table.rowCount, 0)
  output.result({ tables: Object.fromEntries(sums), rowCount, repositoryCount }, () =>
    [
      `${rowCount} rows of ${sums.size} tables and ${repositoryCount} repositories are in PostgreSQL, and every row was compared.`,
      'Next:',
      '  1. Keep DATABASE_URL and DOCENT_SECRET_KEY in the settings of every process.',
      '  2. Start Docent: it builds the indexes of all sites anew.',
      '  3. Keep docent.db of the data folder until you are sure, then remove it. What is written to it from now on is not moved.',
    ].join('\n'),
  )
}

function summarize({ program, createdAt, database, migration, tables, repositories, secret }: BackupManifest) {
  const counts = Object.fromEntries(tables.map(({ name, rowCount }) => [name, rowCount]))
  return {
    program,
    createdAt,
    database,
    migration,
    hasSecrets: secret !== null,
    tables: counts,
    repositories: repositories.length,
  }
}

function describe({ tables, repositories }: BackupManifest): string {
  const rows = tables.reduce((sum, { rowCount }) => sum + rowCount, 0)
  return `${rows} rows of ${tables.length} tables and ${repositories.length} repositories`
}

/** Lets the work clean up when somebody stops it. */
async function stoppable<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const stop = () => controller.abort(new Error('The command was stopped. Nothing was kept of what it had done.'))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    return await work(controller.signal)
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}
