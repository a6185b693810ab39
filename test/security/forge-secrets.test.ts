import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { syncRunSchema } from '../../src/contract/admin.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { runJob } from '../support/agent-jobs.ts'
import { addForgeSite, type ConnectedDocent, startConnectedDocent } from '../support/connected-forge.ts'
import { type TestForge, testForges } from '../support/forge-kinds.ts'
import { asAdmin } from '../support/pull-requests.ts'

// A credential goes to its forge and nowhere else, whatever fails on the way.

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const run = promisify(execFile)

/** With characters that look different in an address. */
const token = 'canary+7f3e/9a=1c%5d-b8e2604d'
const key = '-----BEGIN PRIVATE KEY-----\nQ2FuYXJ5S2V5T2ZBbkFwcDAxMjM0NTY3ODk=\n-----END PRIVATE KEY-----'
const hookSecret = 'canary-hook-secret-51d7'

/** What a reader of any of these could still use. */
const formsOf = (secret: string) => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(`x-access-token:${secret}`).toString('base64').replace(/=+$/, ''),
  encodeURIComponent(secret),
  secret.split('').reverse().join(''),
  secret.slice(7),
]

let forge: TestForge
let docent: ConnectedDocent
const logged: string[] = []
const printed: string[] = []
const processes: string[] = []
const over = new AbortController()
beforeAll(async () => {
  forge = { ...(await testForges.gitea()), token }
  forge.setToken(token)
  docent = await startConnectedDocent({ log: createLog('debug', { write: (line) => void logged.push(line) }) })
  void watchProcesses()
})
afterAll(async () => {
  over.abort()
  await docent.remove()
  await forge.stop()
})

/** One look after the other, because each takes a while on a busy machine. */
async function watchProcesses(): Promise<void> {
  while (!over.signal.aborted) {
    processes.push(...(await listOwnProcesses()).filter((line) => line.includes('git')))
    await wait(20)
  }
}

/** The command lines of what this process has started; of all processes where the system does not tell. */
async function listOwnProcesses(): Promise<string[]> {
  if (!existsSync('/proc/self/task')) return (await run('ps', ['-eo', 'args'])).stdout.split('\n')
  const lines: string[] = []
  const ids = await listChildren(process.pid)
  // It grows while it is gone through.
  for (const id of ids) {
    lines.push(await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''))
    ids.push(...(await listChildren(id)))
  }
  return lines
}

async function listChildren(id: number): Promise<number[]> {
  const threads = await readdir(`/proc/${id}/task`).catch(() => [])
  const lists = threads.map((thread) => readFile(`/proc/${id}/task/${thread}/children`, 'utf8').catch(() => ''))
  return (await Promise.all(lists)).join(' ').split(' ').filter(Boolean).map(Number)
}

async function command(...args: string[]): Promise<void> {
  const { stdout, stderr } = await docent.run(...args)
  printed.push(stdout, stderr)
}

async function ask(method: string, path: string, body?: object): Promise<string> {
  const response = await fetch(docent.url + path, {
    method,
    headers: { ...asAdmin, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  printed.push(text)
  return text
}

async function syncSite(slug: string): Promise<void> {
  const { id, siteId } = syncRunSchema.parse(JSON.parse(await ask('POST', `/admin/v1/sites/${slug}/sync`)))
  const read = async () => syncRunSchema.parse(JSON.parse(await ask('GET', `/admin/v1/sites/${siteId}/runs/${id}`)))
  while (['queued', 'running'].includes((await read()).state)) await wait(50)
}

async function addUnreachable(slug: string, location: string): Promise<void> {
  const source = { kind: 'gitea', location }
  await ask('POST', '/admin/v1/sites', { slug, name: slug, source, credential: { token } })
  await syncSite(slug)
}

/** Every byte of every file below a folder. */
async function readAll(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return (await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')))).join('\n')
}

it('is in no file, log, reply, output or process, however the forge fails', async () => {
  const { stderr } = await addForgeSite(docent, forge, 'guide')
  printed.push(stderr)
  await runJob(docent, 'Replace "Old" by "New" on every page.', { site: 'guide' })
  // A rule forbids the push; then the forge refuses, does not answer well, and sends elsewhere.
  forge.protectBranch('docent/forbidden')
  const forbidden = await runJob(docent, 'Replace "Old" by "No" on every page.', {
    site: 'guide',
    branch: 'docent/forbidden',
  })
  expect(forbidden.status).toBe('failed')
  printed.push(JSON.stringify(forbidden), await ask('GET', `/v2/agent/default/job/${forbidden.id}/events`))
  forge.fail(/git/, { status: 403 }, { status: 403 })
  await syncSite('guide')
  forge.setToken('another')
  await syncSite('guide')
  await command('site', 'check', 'guide')
  await command('doctor')
  forge.setToken(token)
  forge.rename('acme/renamed')
  await syncSite('guide')
  await addUnreachable('nowhere', 'https://forge.invalid/acme/docs')
  await ask('POST', '/admin/v1/sites', {
    slug: 'embedded',
    name: 'E',
    source: { kind: 'gitea', location: `http://x:${encodeURIComponent(token)}@127.0.0.1:1/acme/docs` },
  })
  await ask('POST', '/admin/v1/code-host-apps', {
    kind: 'github',
    origin: 'https://forge.invalid',
    appId: '4711',
    slug: 'docent-app',
    privateKey: key,
    webhookSecret: hookSecret,
  })
  await ask('POST', '/admin/v1/code-host-apps', { kind: 'github', appId: 'x', slug: 'docent-app', privateKey: key })
  for (const path of ['code-host-apps', 'sites', 'audit-log']) await ask('GET', `/admin/v1/${path}`)

  const places = { printed, logged, processes, disk: [await readAll(docent.folder)] }

  expect(printed.join('\n')).toMatch(/token|credential/)
  expect(logged.length).toBeGreaterThan(0)
  expect(processes.join('\n')).toContain('git')
  for (const secret of [token, key, hookSecret]) {
    for (const [place, texts] of Object.entries(places)) {
      const found = formsOf(secret).filter((form) => texts.some((text) => text.includes(form)))
      expect({ place, found }).toEqual({ place, found: [] })
    }
  }
})
