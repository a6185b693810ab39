import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { keyCreatedSchema, keyListSchema } from '../../src/contract/admin.ts'
import { readAddress, runCommand, type RunningCommand } from '../support/run-command.ts'
import { assistantKey, copyUsualFirstStart } from '../support/start-docent.ts'
import { waitUntilReady } from '../support/wait-until-ready.ts'

// The program as its users start it, with signals, exit codes and what it prints.

let folder: string
let started: Started[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-test-'))
})
afterEach(async () => {
  for (const { child } of started) child.kill('SIGKILL')
  started = []
  await rm(folder, { recursive: true, force: true })
})

interface Started extends RunningCommand {
  url: string
}

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runCommand(args, { DOCENT_DATA: folder, PORT: '0', ...env })

/** Starts it on a data folder that has its first start behind it. */
async function start(): Promise<Started> {
  await copyUsualFirstStart(folder)
  return startAgain()
}

/** Starts it on the data folder as it is. */
async function startAgain(): Promise<Started> {
  const result = await listen()
  await waitUntilReady(result.url)
  return result
}

/** As `startAgain`, for what needs no index: that of the documentation takes ten times as long as the start. */
async function listen(): Promise<Started> {
  const running = run(['start'])
  const result = { ...running, url: await readAddress(running) }
  started.push(result)
  return result
}

const ask = (url: string, key: string, text: string) =>
  fetch(`${url}/discovery/v2/assistant/docs/message`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ fp: 'a', messages: [{ role: 'user', parts: [{ type: 'text', text }] }] }),
  })

const search = (url: string, key: string) =>
  fetch(`${url}/discovery/v1/search/docs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"query":"key"}',
  })

const keyPattern = /svc_[\w-]+/g

it('prints the keys at the first start and never again, also not to the log, and keeps its local token to itself', async () => {
  const first = await startAgain()
  const [adminKey = '', ...others] = first.stdout().match(keyPattern) ?? []
  const publicKey = others.find((key) => key.startsWith('svc_dsc_')) ?? ''
  const asked = await search(first.url, publicKey)
  expect((await stat(join(folder, 'server.json'))).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder, 'secret-key'))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o077).toBe(0)
  first.child.kill('SIGTERM')
  expect(await first.exit).toBe(0)
  const second = await startAgain()

  expect(asked.status).toBe(200)
  expect(first.stdout()).toContain('curl -N')
  expect(second.stdout().match(keyPattern)).toBeNull()
  expect(second.stdout()).toMatch(/docent owner-link[^]+docent key create/)
  const written = first.stderr() + second.stderr() + (await readFile(join(folder, 'docent.db'), 'latin1'))
  for (const key of [adminKey, publicKey]) expect(written).not.toContain(key)
  expect(
    (await fetch(`${second.url}/admin/v1/keys`, { headers: { authorization: `Bearer ${adminKey}` } })).status,
  ).toBe(200)
})

it.each(['start', '--json start'])(
  'prints the keys also when the start fails after it has made them: docent %s',
  async (words) => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = z.object({ port: z.number() }).parse(taken.address())

    const failed = run(words.split(' '), { DOCENT_METRICS_PORT: String(port) })
    const code = await failed.exit
    taken.close()

    expect(code).toBe(1)
    expect(failed.stdout()).toMatch(/svc_dsc_[\w-]+/)
    expect(failed.stdout()).toMatch(/token=[\w-]{43}/)
  },
)

it('makes no first start with unusable settings, and lets the owner in after one whose output nobody saw', async () => {
  const refused = run(['start'], { DOCENT_EMBEDDING_MODEL: 'openai-compatible/embed' })
  expect(await refused.exit).toBe(2)
  expect(refused.stdout()).toBe('')
  const killed = run(['start'])
  while (!killed.stdout().includes('first start')) await wait(5)
  killed.child.kill('SIGKILL')
  await killed.exit
  const server = await listen()

  const link = run(['--json', 'owner-link'])

  expect(await link.exit).toBe(0)
  const { url } = z.object({ url: z.string() }).parse(JSON.parse(link.stdout()))
  expect(server.stdout()).toMatch(/docent owner-link[^]+docent key create/)
  expect((await fetch(url)).status).toBe(200)
})

it('refuses bad settings with every fault and exit code 2', async () => {
  const running = run(['start'], { PORT: 'x', DOCENT_LIMIT_IP_PER_DAY: '0', DOCENT_WRONG: '1' })

  expect(await running.exit).toBe(2)
  expect(running.stderr()).toContain('3 problems')
})

it('refuses a second server on its data folder, and answers commands the same with and without a running one', async () => {
  const server = await start()
  const second = run(['start'])
  expect(await second.exit).toBe(1)
  const create = run(['--json', 'key', 'create', '--kind', 'assistant', '--name', 'cli', '--site', 'docs'])
  expect(await create.exit).toBe(0)
  const made = keyCreatedSchema.parse(JSON.parse(create.stdout()))
  const asked = await search(server.url, made.secret)
  server.child.kill('SIGTERM')
  await server.exit
  const revoke = run(['--json', 'key', 'revoke', made.id])
  expect(await revoke.exit).toBe(0)
  const list = run(['--json', 'key', 'list'])
  expect(await list.exit).toBe(0)

  expect(second.stderr()).toMatch(
    /Another Docent process uses the data folder .* choose another folder with DOCENT_DATA/,
  )
  expect(asked.status).toBe(200)
  const keys = keyListSchema.shape.items.parse(JSON.parse(list.stdout()))
  expect(keys.find(({ id }) => id === made.id)?.revokedAt).not.toBeNull()
})

it('opens and has lost nothing acknowledged after kill -9', async () => {
  const server = await start()
  const finished: string[] = []
  const askOnce = async () => {
    const response = await ask(server.url, assistantKey, 'What does the error E-42 mean?')
    const text = await response.text()
    if (text.includes('"type":"finish"')) finished.push(response.headers.get('x-thread-id') ?? '')
  }
  const asking = Promise.allSettled(
    Array.from({ length: 20 }, async () => {
      for (let round = 0; round < 50; round++) await askOnce()
    }),
  )
  while (finished.length < 40) await wait(5)

  server.child.kill('SIGKILL')
  await asking

  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(join(folder, 'docent.db'))
  const stored = new Set(
    database
      .prepare("select thread_id from messages where role = 'assistant'")
      .all()
      .map((row) => row.thread_id),
  )
  database.close()
  expect(finished.filter((thread) => !stored.has(thread))).toEqual([])
  expect((await fetch(`${(await startAgain()).url}/readyz`)).status).toBe(200)
})

it('lets a running answer end before it stops at the first signal, and refuses new ones, whatever its threads did', async () => {
  const server = await start()
  const page = await fetch(`${server.url}/sites/docs`)
  const job = run(['job', 'create', '--watch', 'Replace "sells tickets" with "sells rides" on the page index'])
  expect([page.status, (await page.text()).length > 0, await job.exit]).toEqual([200, true, 0])
  const answers = Array.from({ length: 30 }, () => ask(server.url, assistantKey, 'How do I load paper?'))
  const first = await Promise.race(answers)

  server.child.kill('SIGTERM')

  expect((await first.text()).endsWith('data: [DONE]\n\n')).toBe(true)
  expect(await server.exit).toBe(0)
  for (const answer of await Promise.allSettled(answers)) {
    if (answer.status === 'rejected') continue
    const body = answer.value === first ? '' : await answer.value.text()
    expect(
      answer.value.status === 200 ? body === '' || body.endsWith('data: [DONE]\n\n') : answer.value.status === 503,
    ).toBe(true)
  }
})
