import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

// A process that keeps one PostgreSQL server and removes it when its standard input ends. The end of a process closes
// its pipes however it ends, so that a test run that is killed leaves no server and no folder behind.
//
// Arguments: the folder of the server's binaries, and further settings of the server. Prints one line of JSON:
// `{ "url" }` or `{ "unavailable" }`. A line `restart` on standard input restarts the server, `crash` does it without a chance to write
// what is in its memory.

/** `nobody`, by the number that it has nearly everywhere: the server refuses to run as root. */
const unprivileged = { uid: 65_534, gid: 65_534 }

const [binaries, ...givenSettings] = process.argv.slice(2)
if (binaries === undefined) throw new Error('Name the folder of the PostgreSQL binaries.')

const isRoot = process.getuid?.() === 0
const identity = isRoot ? unprivileged : {}
const folder = mkdtempSync(join(tmpdir(), 'docent-postgres-'))
let server: ChildProcess | null = null
let isRestarting = false

function report(message: { url: string } | { unavailable: string }): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

function end(): void {
  if (isRestarting) return
  if (server === null || server.exitCode !== null || server.signalCode !== null) {
    rmSync(folder, { recursive: true, force: true })
    process.exit(0)
  }
  server.once('exit', end)
  // An immediate shutdown: nothing of the data is needed.
  server.kill('SIGQUIT')
}

/** Libraries under the names that the binaries ask for; the package keeps one name each, for want of links in archives. */
function linkLibraries(native: string): string {
  const links = join(folder, 'lib')
  mkdirSync(links)
  const listed = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of listed) {
    symlinkSync(join(dirname(native), source), join(links, basename(target)))
  }
  return links
}

/** The binaries where the server's user can reach them: a copy when the project lies in a folder of root's own. */
function reachable(native: string): string {
  if (!isRoot) return native
  const probe = spawnSync(join(native, 'bin', 'postgres'), ['--version'], { ...identity, cwd: '/' })
  const isRefused = probe.error !== undefined && 'code' in probe.error && probe.error.code === 'EACCES'
  if (!isRefused) return native
  const copy = join(folder, 'copy', 'native')
  cpSync(native, copy, { recursive: true })
  return copy
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}

async function start(native: string): Promise<void> {
  const environment = {
    PATH: process.env['PATH'],
    LC_ALL: 'C',
    LD_LIBRARY_PATH: `${linkLibraries(native)}:${join(native, 'lib')}`,
  }
  const options = { ...identity, cwd: folder, env: environment }
  const data = join(folder, 'data')
  if (isRoot) chownSync(folder, unprivileged.uid, unprivileged.gid)
  const made = spawnSync(
    join(native, 'bin', 'initdb'),
    [
      '--pgdata',
      data,
      '--username',
      'docent',
      '--auth',
      'trust',
      '--encoding',
      'UTF8',
      '--no-sync',
      '--no-instructions',
    ],
    { ...options, encoding: 'utf8', timeout: 60_000 },
  )
  if (made.status !== 0)
    throw new Error(`initdb failed: ${made.stderr || made.error?.message || `status ${made.status}`}`)
  const port = await freePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'full_page_writes=off',
    'shared_buffers=32MB',
    'max_connections=200',
    'autovacuum=off',
    ...givenSettings,
  ]
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
  const run = async () => {
    server = spawn(join(native, 'bin', 'postgres'), args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
    await untilReady(server)
    server.once('exit', end)
  }
  await run()
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (line === 'restart') void restart(run, 'SIGINT')
    if (line === 'crash') void restart(run, 'SIGQUIT')
  })
  report({ url: `postgres://docent@127.0.0.1:${port}/postgres` })
}

/** As an operator restarts it: connections are cut, and what was committed is kept. Reports when it is back. */
async function restart(run: () => Promise<void>, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (server === null) return
  isRestarting = true
  const ended = once(server, 'exit')
  server.kill(signal)
  await ended
  await run()
  isRestarting = false
  process.stdout.write('restarted\n')
}

function untilReady(process: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    process.stderr?.on('data', (chunk: Buffer) => {
      if (output.length < 10_000) output += chunk.toString()
      if (output.includes('ready to accept connections')) resolve()
    })
    process.once('error', reject)
    process.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${output}`)))
  })
}

process.stdin.on('end', end)
process.stdin.on('error', end)
process.stdin.resume()
// The terminal sends these to the whole group; the end of the input says when it is time.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
try {
  await start(reachable(binaries))
} catch (error) {
  report({ unavailable: error instanceof Error ? error.message : String(error) })
  end()
}
