import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readAddress, runCommand, type RunningCommand } from '../support/run-command.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { waitUntilReady } from '../support/wait-until-ready.ts'

// Server and worker as processes of their own.

const database = await startPostgres()
if ('unavailable' in database) process.stderr.write(`Skipped server and worker apart: ${database.unavailable}\n`)

const assistantKey = `svc_dsc_${'a'.repeat(43)}`
let folder: string
let running: RunningCommand[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-test-'))
})
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await Promise.all(running.map(({ exit }) => exit))
  running = []
  await rm(folder, { recursive: true, force: true })
})
afterAll(async () => {
  if ('stop' in database) await database.stop()
})

function run(command: string, env: Record<string, string> = {}): RunningCommand {
  const started = runCommand([command], { DOCENT_DATA: folder, PORT: '0', ...env })
  running.push(started)
  return started
}

it.each(['serve', 'work'])(
  'docent %s on the embedded database says what it needs, with exit code 2',
  async (command) => {
    const { exit, stderr } = run(command)

    expect(await exit).toBe(2)
    expect(stderr()).toMatch(/DATABASE_URL is missing.*requires PostgreSQL.*docent start/)
  },
)

describe.skipIf('unavailable' in database)('on PostgreSQL', () => {
  it('a server answers from what a worker beside it has indexed, and both stop when they are told to', async () => {
    const env = {
      DATABASE_URL: 'url' in database ? database.url : '',
      DOCENT_SECRET_KEY: 'x'.repeat(40),
      DOCENT_ASSISTANT_KEY: assistantKey,
    }
    const server = run('serve', env)
    const url = await readAddress(server)
    const unready = await fetch(`${url}/readyz`)
    const worker = run('work', env)
    await waitUntilReady(url)

    const found = await fetch(`${url}/discovery/v1/search/docs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${assistantKey}`, 'content-type': 'application/json' },
      body: '{"query":"assistant key"}',
    })
    for (const { child } of [worker, server]) child.kill('SIGTERM')

    expect(unready.status).toBe(503)
    expect(await found.json()).not.toHaveLength(0)
    expect(await Promise.all([worker.exit, server.exit])).toEqual([0, 0])
  })
})
