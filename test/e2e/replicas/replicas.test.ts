import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { keyCreatedSchema } from '../../../src/contract/admin.ts'
import { createJob, finishJob } from '../../support/agent-jobs.ts'
import { sendAsAdmin } from '../../support/ask.ts'
import { askInChat, framesOf, readUntil, resumeChat, saidIn } from '../../support/chat-stream.ts'
import { createGatedModel } from '../../support/gated-model.ts'
import { cloneRepository, type GitClient } from '../../support/git-client.ts'
import {
  addressOf,
  asAdmin,
  getPullRequest,
  openPullRequest,
  pushChange,
  servedRevision,
} from '../../support/pull-requests.ts'
import type { Docent } from '../../support/start-docent.ts'
import { type SmtpServer, startSmtpServer } from '../../support/smtp-server.ts'
import { startPostgres } from '../../support/start-postgres.ts'
import { type Replicas, startReplicas } from '../../support/start-replicas.ts'

// Each test runs dozens of git commands, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const database = await startPostgres()
if ('unavailable' in database) process.stderr.write(`Skipped replicas: ${database.unavailable}\n`)

describe.skipIf('unavailable' in database)('two servers and two workers, each with its own folder', () => {
  let replicas: Replicas
  let one: Docent
  let other: Docent
  let smtp: SmtpServer
  const model = createGatedModel()
  const clients: GitClient[] = []

  beforeAll(async () => {
    const databaseUrl = 'url' in database ? database.url : ''
    smtp = await startSmtpServer()
    const env = {
      DOCENT_SMTP_URL: smtp.url,
      DOCENT_MAIL_FROM: 'docs@example.com',
      DOCENT_BASE_URL: 'http://docs.example.com',
      DOCENT_SOURCE_FOLDERS: join(import.meta.dirname, '../../fixtures'),
    }
    replicas = await startReplicas({ databaseUrl, workers: 2, env, servers: [{ model }, {}] })
    ;[one, other] = replicas.servers
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.remove()
  })
  afterAll(async () => {
    await replicas.stop()
    await smtp[Symbol.asyncDispose]()
    if ('stop' in database) await database.stop()
  })

  async function clone(docent: Docent): Promise<GitClient> {
    const client = await cloneRepository(addressOf(docent))
    clients.push(client)
    return client
  }

  async function search(docent: Docent, query: string): Promise<string> {
    return (await docent.post('/discovery/v1/search/docs', { query })).text()
  }

  it('a server finds what a worker has indexed, in a folder that was empty', async () => {
    const found = [await search(one, 'paper has run out'), await search(other, 'paper has run out')]
    const late = await replicas.startServer()
    const foundLate = await search(late, 'paper has run out')

    expect(found[0]).toContain('E-42')
    expect(found[1]).toBe(found[0])
    expect(foundLate).toBe(found[0])
    expect(await readdir(join(late.folder, 'indexes'))).toHaveLength(1)
  })

  it('what is pushed to one is cloned from the other, and follows the same rules there', async () => {
    const pushed = await pushChange(one, { branch: 'shared', path: 'shared.md', text: 'Shared\n' })
    clients.push(pushed)

    const client = await clone(other)
    await client.git('checkout', '--quiet', 'shared')
    await client.write('shared.md', 'Shared twice\n')
    await client.commit('Go on')
    await client.git('push', '--quiet', 'origin', 'shared')
    await pushed.git('pull', '--quiet', 'origin', 'shared')

    expect(await pushed.read('shared.md')).toBe('Shared twice\n')
    await expect(client.git('push', 'origin', 'HEAD:refs/heads/main')).rejects.toThrow('remote rejected')
    await pushed.git('push', '--quiet', 'origin', '--delete', 'shared')
    expect(await client.git('ls-remote', 'origin', 'refs/heads/shared')).toBe('')
  })

  it('a pull request that was opened on one is read and merged on the other, and the site follows on both', async () => {
    const text = '---\ntitle: Install\n---\nThe case is made of zebrawood.\n'
    clients.push(await pushChange(one, { branch: 'case', path: 'guides/install.mdx', text }))
    const opened = await openPullRequest(one, { branch: 'case' })

    const page = await (await other.get(`${new URL(opened.url).pathname}/view`)).text()
    const merged = await other.post(`/admin/v1/pull-requests/${opened.id}/merge`, {}, asAdmin)
    const { mergeCommit } = (await merged.json()) as { mergeCommit: string }

    expect(page).toContain('zebrawood')
    expect(merged.status).toBe(200)
    expect(await getPullRequest(one, opened.id)).toMatchObject({ state: 'merged', mergeCommit })
    expect(await (await clone(one)).git('rev-parse', 'HEAD')).toBe(mergeCommit)
    for (const docent of [one, other]) {
      while ((await servedRevision(docent)) !== mergeCommit) await wait(100)
      while (!(await search(docent, 'zebrawood')).includes('zebrawood')) await wait(100)
    }
  })

  it('a job is done by any worker, and its change is read and merged on any server', async () => {
    const job = await createJob(one, 'Replace "paper" with "film" everywhere')
    const done = await finishJob(other, job.id)

    const page = await (await other.get(`${new URL(done.prLink ?? '').pathname}/view`)).text()
    const listed = await (await one.get('/admin/v1/pull-requests?limit=50', asAdmin)).text()
    const { id } = (JSON.parse(listed) as { items: { id: string; url: string }[] }).items.find(({ url }) =>
      url.endsWith(new URL(done.prLink ?? '').pathname),
    ) ?? { id: '' }
    const merged = await one.post(`/admin/v1/pull-requests/${id}/merge`, {}, asAdmin)

    expect(done).toMatchObject({ status: 'completed', failure: null })
    expect(page).toContain('film')
    expect(merged.status).toBe(200)
    expect(await (await clone(other)).git('log', '-1', '--format=%s')).toMatch(/^Merge pull request/)
  })

  it('a repository that was imported through one is there on the other, and its removal too', async () => {
    const body = { name: 'second', from: join(import.meta.dirname, '../../fixtures/sites/kiosk') }
    const made = (await (await one.post('/admin/v1/repositories', body, asAdmin)).json()) as { id: string }

    const client = await cloneRepository(addressOf(other, { name: 'default/second' }))
    clients.push(client)
    const removed = await fetch(`${other.url}/admin/v1/repositories/${made.id}`, { method: 'DELETE', headers: asAdmin })

    expect(await client.read('docs.json')).toContain('{')
    expect(removed.status).toBe(204)
    await expect(cloneRepository(addressOf(one, { name: 'default/second' }))).rejects.toThrow('not found')
  })

  it('an answer that began on one is resumed on the other', async () => {
    model.close()
    const cut = await readUntil(await askInChat(one, 'chat-1'), 'first ')
    await cut.cut()
    let response = await resumeChat(other, 'chat-1')
    while (response.status !== 200) response = await resumeChat(other, 'chat-1')
    const resumed = await readUntil(response, 'first ')

    model.open()
    const text = await resumed.readRest()

    expect(framesOf(text).slice(0, framesOf(cut.text).length)).toEqual(framesOf(cut.text))
    expect(saidIn(text)).toBe('first second.')
  })

  it('a key that was revoked on one is refused by the other within five seconds', async () => {
    const body = { kind: 'assistant', name: 'Leaked', siteId: 'docs' }
    const made = keyCreatedSchema.parse(await (await one.post('/admin/v1/keys', body, asAdmin)).json())
    const status = async (docent: Docent) => {
      const headers = { authorization: `Bearer ${made.secret}` }
      return (await docent.post('/discovery/v1/search/docs', { query: 'paper' }, headers)).status
    }
    expect(await status(other)).toBe(200)

    await one.post(`/admin/v1/keys/${made.id}/revoke`, {}, asAdmin)
    const revokedAt = Date.now()
    while ((await status(other)) === 200) await wait(50)

    expect(Date.now() - revokedAt).toBeLessThan(5_000)
    expect(await status(one)).toBe(401)
  })

  it('the digest of a week is sent once, whichever worker comes first', async () => {
    const settings = { digest: { emails: ['team@example.com'] } }
    await sendAsAdmin(one, 'PATCH', '/admin/v1/sites/docs', { settings })
    await vi.waitFor(() => expect(smtp.mails).toHaveLength(1), { timeout: 60_000, interval: 100 })

    // Each worker looks for digests that are due every five seconds.
    await wait(11_000)

    expect(smtp.mails).toHaveLength(1)
  })
})
