import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual, promisify } from 'node:util'
import pg from 'pg'
import { listMigrations } from '../../src/store/migrations/create-tables.ts'
import { sumRows } from '../../src/store/migrations/load-rows.ts'
import { openStore } from '../../src/store/open-store.ts'
import { openPostgresSnapshot } from '../../src/store/postgres/postgres-snapshot.ts'
import type { DatabaseSnapshot } from '../../src/store/migrations/row-reader.ts'
import { openSqliteSnapshot } from '../../src/store/sqlite/sqlite-snapshot.ts'
import { describeTables } from '../../src/store/migrations/table-shapes.ts'
import { runCommand } from '../support/run-command.ts'
import { createSeededRandom } from './seeded-random.ts'
import { copyUsualFirstStart } from '../support/start-docent.ts'
import { startVictim } from './start-victim.ts'

export interface KillTransferOptions {
  kills: number
  seed: number
  /** Told of each kill. `ended`: the command was through before it. */
  onKill?: (report: { kill: number; afterMs: number; ended: boolean }) => void
}

/** So many that the command works for about as long as it takes to start. */
const rowCount = 1_500
/** How long a run takes, until one has told. */
const runMsGuess = 1_500
const readyMsMax = 120_000
const rowBatch = 100
const execute = promisify(execFile)

type Sums = Record<string, unknown>

const shapes = describeTables(listMigrations().at(-1) ?? '')

/**
 * Kills `docent move-to-postgres` at random moments, and looks at both databases after each.
 *
 * @param options.databaseUrl An empty database, which is emptied after each kill.
 * @returns A sentence for every broken promise: none is what is wanted.
 */
export async function killMove(options: KillTransferOptions & { databaseUrl: string }): Promise<string[]> {
  const { databaseUrl } = options
  const folder = await makeInstallation()
  const secret = (await readFile(join(folder, 'secret-key'), 'utf8')).trim()
  const env = { DOCENT_DATA: folder, DATABASE_URL: databaseUrl, DOCENT_SECRET_KEY: secret }
  const expected = await sumAll(await openSqliteSnapshot(folder))
  const faults: string[] = []
  try {
    const judge = async () => {
      const found = await judgeCopy(databaseUrl, expected)
      const isWhole = isDeepStrictEqual(await sumAll(await openSqliteSnapshot(folder)), expected)
      return isWhole ? found : [...found, 'the source differs']
    }
    const judgeWhole = async () => {
      const copy = await sumAll(await openPostgresSnapshot(databaseUrl))
      await runStatement(databaseUrl, 'drop schema public cascade; create schema public')
      return isDeepStrictEqual(copy, expected) ? [] : ['the copy of the second run differs']
    }
    faults.push(...(await killOften(options, { args: ['move-to-postgres'], env, judge, judgeWhole })))
    faults.push(...(await judgeSource(folder)))
    return faults
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The copy is there as a whole or not at all. */
async function judgeCopy(databaseUrl: string, expected: Sums): Promise<string[]> {
  const snapshot = await openPostgresSnapshot(databaseUrl)
  if (snapshot.migrations.length === 0) {
    await snapshot.close()
    return []
  }
  return isDeepStrictEqual(await sumAll(snapshot), expected) ? [] : ['a part of the rows was left for the whole']
}

/** The source answers as if nothing had been tried. */
async function judgeSource(folder: string): Promise<string[]> {
  const server = await startVictim(folder, {})
  const deadline = performance.now() + readyMsMax
  try {
    for (;;) {
      const response = await fetch(`${server.url}/readyz`)
      const text = await response.text()
      if (response.ok) return []
      if (performance.now() > deadline) return [`the source does not serve any more: ${text}`]
      await wait(100)
    }
  } finally {
    await server.kill()
  }
}

/**
 * Kills `docent restore --replace` at random moments over a folder with another state: after each kill the folder holds
 * the old state or the new one, or is refused, and the next run finishes.
 *
 * @returns A sentence for every broken promise: none is what is wanted.
 */
export async function killRestore(options: KillTransferOptions): Promise<string[]> {
  const folder = await makeInstallation()
  const before = await mkdtemp(join(tmpdir(), 'docent-before-'))
  const target = join(before, 'data')
  const file = join(before, 'backup.tar')
  try {
    const expected = await readState(folder)
    const backup = runCommand(['backup', file], { DOCENT_DATA: folder })
    if ((await backup.exit) !== 0) return [`the backup failed: ${backup.stderr()}`]
    const old = join(before, 'old')
    await cp(folder, old, { recursive: true })
    await changeState(old)
    const known = await readState(old)
    const judge = () => judgeFolder(target, [known, expected])
    const judgeWhole = async () =>
      isDeepStrictEqual(await readState(target), expected) ? [] : ['the second run restored something else']
    const prepare = async () => {
      await rm(target, { recursive: true, force: true })
      await cp(old, target, { recursive: true })
    }
    return await killOften(options, {
      args: ['restore', file, '--replace'],
      env: { DOCENT_DATA: target },
      judge,
      judgeWhole,
      prepare,
    })
  } finally {
    for (const made of [folder, before]) await rm(made, { recursive: true, force: true })
  }
}

async function judgeFolder(target: string, states: readonly FolderState[]): Promise<string[]> {
  const state = await readState(target).catch((error: unknown) => error)
  if (state instanceof Error) {
    const isSaid = /Run docent restore with the backup and --replace again/u.test(state.message)
    return isSaid ? [] : [`the folder is refused without a way out: ${state.message}`]
  }
  return states.some((known) => isDeepStrictEqual(state, known)) ? [] : ['the folder holds parts of two states']
}

interface Killing {
  args: readonly string[]
  env: Record<string, string>
  /** What the kill has left. */
  judge(): Promise<string[]>
  /** What the run that nobody kills has made, which comes after each kill. */
  judgeWhole(): Promise<string[]>
  prepare?(): Promise<void>
}

/** The kills are spread over the time that a whole run takes, which those that are not killed tell. */
async function killOften(options: KillTransferOptions, killing: Killing): Promise<string[]> {
  const { kills, seed, onKill } = options
  const { args, env, judge, judgeWhole, prepare } = killing
  const random = createSeededRandom(seed)
  const faults: string[] = []
  let runMs = runMsGuess
  for (let kill = 1; kill <= kills; kill++) {
    await prepare?.()
    const command = runCommand(args, env)
    const afterMs = Math.round(random() * runMs)
    const ended = await Promise.race([command.exit.then(() => true), wait(afterMs, false)])
    command.child.kill('SIGKILL')
    await command.exit
    onKill?.({ kill, afterMs, ended })
    const found = await judge()
    const startedAt = performance.now()
    const again = runCommand(args, env)
    if ((await again.exit) === 0) found.push(...(await judgeWhole()))
    else found.push(`the second run failed: ${again.stderr()}`)
    runMs = performance.now() - startedAt
    faults.push(...found.map((fault) => `kill ${kill} (${afterMs} ms): ${fault}`))
  }
  return faults
}

/** An installation as its first start makes it, with rows beside. */
async function makeInstallation(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-transfer-'))
  await copyUsualFirstStart(folder)
  const store = await openStore({ folder })
  for (let first = 0; first < rowCount; first += rowBatch) {
    const values = Array.from({ length: rowBatch }, (_, row) => ({
      name: `row-${first + row}`,
      value: 'x'.repeat(1_000),
    }))
    await store.durable.insertInto('installation').values(values).execute()
  }
  await store.close()
  return folder
}

/** Another row, and another branch in each repository. */
async function changeState(folder: string): Promise<void> {
  const store = await openStore({ folder })
  await store.durable.insertInto('installation').values({ name: 'old', value: 'old' }).execute()
  await store.close()
  for (const name of await readdir(join(folder, 'repositories'))) {
    const gitDirectory = join(folder, 'repositories', name)
    await execute('git', ['--git-dir', gitDirectory, 'update-ref', 'refs/heads/old', 'HEAD'])
  }
}

interface FolderState {
  sums: Sums
  /** Every branch of every repository, by its folder. */
  refs: Record<string, string>
}

async function readState(folder: string): Promise<FolderState> {
  const sums = await sumAll(await openSqliteSnapshot(folder))
  const refs: Record<string, string> = {}
  for (const name of (await readdir(join(folder, 'repositories'))).toSorted()) {
    const { stdout } = await execute('git', ['--git-dir', join(folder, 'repositories', name), 'for-each-ref'])
    refs[name] = stdout
  }
  return { sums, refs }
}

async function sumAll(snapshot: DatabaseSnapshot): Promise<Sums> {
  const sums: Sums = {}
  try {
    for (const shape of await shapes) sums[shape.name] = await sumRows(snapshot, shape)
  } finally {
    await snapshot.close()
  }
  return sums
}

async function runStatement(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}
