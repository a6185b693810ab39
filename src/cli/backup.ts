import { resolve } from 'node:path'
import { backUp, moveDatabase, type RestoredInstallation, restore } from '../app/back-up.ts'
import type { BackupManifest } from '../backup/backup-manifest.ts'
import { verifyBackup } from '../backup/verify-backup.ts'
import { systemClock } from '../base/clock.ts'
import { readEnvironment } from '../config/read-environment.ts'
import { countOf } from '../contract/count-of.ts'
import type { Output } from './output.ts'

const megabyte = 1024 * 1024

/** `docent backup`: works with and without a running server. */
export async function backup(output: Output, input: { target: string; hasSecrets: boolean }): Promise<void> {
  const { file, bytes, manifest } = await stoppable((signal) =>
    backUp({ settings: readEnvironment(), clock: systemClock, signal }, input),
  )
  output.result({ file, bytes, ...summarize(manifest) }, () =>
    [
      `${file} contains ${describe(manifest)}, ${(bytes / megabyte).toFixed(1)} MB. Only your user can read it.`,
      manifest.secret === null
        ? 'Store DOCENT_SECRET_KEY, or the file secret-key of the data folder, separately: without it, stored credentials cannot be read after a restore.'
        : 'It contains the secret key: anyone with the file can read stored credentials and sign sessions. Protect it like a password.',
    ].join('\n'),
  )
}

export async function verify(output: Output, file: string): Promise<void> {
  const manifest = await stoppable((signal) => verifyBackup(resolve(file), signal))
  output.result(
    { file, ...summarize(manifest) },
    () => `${file} is intact: ${describe(manifest)}, written by Docent ${manifest.program} at ${manifest.createdAt}.`,
  )
}

export async function restoreFile(output: Output, input: { file: string; replaces: boolean }): Promise<void> {
  const restored = await stoppable((signal) =>
    restore({ settings: readEnvironment(), clock: systemClock, signal }, input),
  )
  const { manifest, rowCount, replacedFolder, hasSameSecret } = restored
  output.result({ ...summarize(manifest), rowCount, replacedFolder, hasSameSecret }, () =>
    [
      `Restored ${describe(manifest)} and verified every row.`,
      ...describeReplaced(restored),
      'Start Docent: it rebuilds the indexes of all sites and answers for each as soon as its index is ready.',
    ].join('\n'),
  )
}

function describeReplaced({ replacedFolder, hasSameSecret }: RestoredInstallation): string[] {
  const replaced = replacedFolder === null ? [] : [`The previous data is in ${replacedFolder}.`]
  if (hasSameSecret !== false) return replaced
  return [
    ...replaced,
    'The secret key differs from the one the backup was made with: set DOCENT_SECRET_KEY to that one before you start, or set stored credentials, settings and webhooks again.',
  ]
}

export async function move(output: Output, input: { replaces: boolean }): Promise<void> {
  const { sums, repositoryCount } = await stoppable((signal) =>
    moveDatabase({ settings: readEnvironment(), clock: systemClock, signal }, input),
  )
  const rowCount = [...sums.values()].reduce((sum, table) => sum + table.rowCount, 0)
  output.result({ tables: Object.fromEntries(sums), rowCount, repositoryCount }, () =>
    [
      `Moved ${countOf(rowCount, 'row')} of ${countOf(sums.size, 'table')} and ${countOf(repositoryCount, 'repository', 'repositories')} to PostgreSQL and verified every row.`,
      'Next:',
      '  1. Set DATABASE_URL and DOCENT_SECRET_KEY for every process from now on.',
      '  2. Start Docent: it rebuilds the indexes of all sites.',
      '  3. Keep docent.db in the data folder until you are sure, then delete it. Anything written to it from now on is not moved.',
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
  return `${countOf(rows, 'row')} of ${countOf(tables.length, 'table')} and ${countOf(repositories.length, 'repository', 'repositories')}`
}

/** Lets the work clean up on Ctrl-C or SIGTERM. */
async function stoppable<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const stop = () => controller.abort(new Error('The command was stopped. Its partial work was discarded.'))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    return await work(controller.signal)
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}
