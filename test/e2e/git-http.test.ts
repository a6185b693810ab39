import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { keyCreatedSchema, siteSchema } from '../../src/contract/admin.ts'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { repositoryListSchema, repositorySchema } from '../../src/contract/repositories.ts'
import { cloneRepository, type GitClient } from '../support/git-client.ts'
import { createGitRepository } from '../support/git-repository.ts'
import { addressOf, asAdmin } from '../support/pull-requests.ts'
import { adminKey, assistantKey, type Docent, sampleSite, startDocent } from '../support/start-docent.ts'

// Each test runs dozens of git commands, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let docent: Docent
let home: string
const clients: GitClient[] = []
beforeAll(async () => {
  docent = await startDocent()
  home = await mkdtemp(join(tmpdir(), 'docent-home-'))
}, 60_000)
afterAll(async () => {
  await docent.remove()
  await rm(home, { recursive: true })
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.remove()
})

async function clone(options: { name?: string; key?: string } = {}): Promise<GitClient> {
  const client = await cloneRepository(addressOf(docent, options))
  clients.push(client)
  return client
}

const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`git:${password}`).toString('base64')}` })
const refsOf = (service: string, headers: Record<string, string>) =>
  docent.get(`/git/default/docs.git/info/refs?service=${service}`, headers)

async function makeKey(scopes: string[]): Promise<string> {
  const response = await docent.post('/admin/v1/keys', { kind: 'admin', name: 'Git', scopes }, asAdmin)
  return keyCreatedSchema.parse(await response.json()).secret
}

it('gives a clone whose files are those of the folder that was imported', async () => {
  const client = await clone()

  expect(await client.git('branch', '--show-current')).toBe('main')
  for (const path of ['docs.json', 'index.mdx', 'guides/install.mdx']) {
    expect(await client.read(path)).toBe(await readFile(join(sampleSite, path), 'utf8'))
  }
  expect(await client.git('log', '--format=%s')).toBe('Import the documentation')
})

it('takes a push to a branch, and none to the default branch', async () => {
  const client = await clone()
  await client.write('new.md', 'New\n')
  const commit = await client.commit('A page')

  await client.git('push', '--quiet', 'origin', 'HEAD:refs/heads/topic')

  await expect(client.git('push', 'origin', 'HEAD:refs/heads/main')).rejects.toThrow('remote rejected')
  await expect(client.git('push', 'origin', '--delete', 'main')).rejects.toThrow('remote rejected')
  await expect(client.git('push', 'origin', 'HEAD:refs/pull/1/head')).rejects.toThrow('remote rejected')
  await client.git('fetch', '--quiet')
  expect(await client.git('rev-parse', 'origin/topic')).toBe(commit)
  expect(await client.git('rev-parse', 'origin/main')).not.toBe(commit)
})

it('takes pushes to the default branch where the owner allows them, and syncs the site', async () => {
  const open = await startDocent({ env: { DOCENT_PUSH_TO_DEFAULT_BRANCH: 'true' } })
  try {
    const client = await cloneRepository(addressOf(open))
    clients.push(client)
    await client.write('guides/install.mdx', '---\ntitle: Install\n---\nNew.\n')
    const commit = await client.commit('Direct')
    await client.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main')
    await client.git('commit', '--quiet', '--amend', '-m', 'Rewritten')
    await expect(client.git('push', '--force', 'origin', 'HEAD:refs/heads/main')).rejects.toThrow('remote rejected')

    for (;;) {
      const site = siteSchema.parse(await (await open.get('/admin/v1/sites/docs', asAdmin)).json())
      if (site.generation?.revision === commit) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  } finally {
    await open.remove()
  }
})

it('lets each key do what its scopes say', async () => {
  const [reader, writer] = [await makeKey(['read']), await makeKey(['write'])]

  expect((await refsOf('git-upload-pack', basic(reader))).status).toBe(200)
  expect((await refsOf('git-receive-pack', basic(reader))).status).toBe(403)
  expect((await refsOf('git-upload-pack', basic(writer))).status).toBe(200)
  expect((await refsOf('git-receive-pack', basic(writer))).status).toBe(200)
  expect((await refsOf('git-upload-pack', { authorization: `Bearer ${reader}` })).status).toBe(200)
  const client = await clone({ key: reader })
  await client.write('new.md', 'New\n')
  await client.commit('A page')
  await expect(client.git('push', 'origin', 'HEAD:refs/heads/reader')).rejects.toThrow('403')
})

it('asks who comes without a key for one, and takes no other kind', async () => {
  const nobody = await refsOf('git-upload-pack', {})
  expect(nobody.status).toBe(401)
  expect(nobody.headers.get('www-authenticate')).toMatch(/^Basic realm=/)

  expect((await refsOf('git-upload-pack', basic(`svc_${'x'.repeat(43)}`))).status).toBe(401)
  expect((await refsOf('git-upload-pack', basic(assistantKey))).status).toBe(403)
  expect((await refsOf('git-upload-pack', { authorization: 'Basic !' })).status).toBe(401)
})

it('serves no file of a repository as it lies on the disk', async () => {
  for (const path of ['HEAD', 'config', 'objects/info/packs', 'info/refs?service=git-daemon', 'info/refs']) {
    const response = await docent.get(`/git/default/docs.git/${path}`, basic(adminKey))
    expect([400, 404]).toContain(response.status)
    errorBodySchema.parse(await response.json())
  }
  for (const name of ['default/none', 'default/..%2f..%2fetc', '%2e%2e/docs', 'default/docs.git.git']) {
    const response = await docent.get(`/git/${name}.git/info/refs?service=git-upload-pack`, basic(adminKey))
    expect(response.status).toBe(404)
  }
})

it('refuses a push of a tree whose paths lead out of it', async () => {
  const client = await clone()
  const blob = await client.git('rev-parse', 'HEAD:index.mdx')
  await writeFile(join(home, 'raw'), Buffer.concat([Buffer.from('100644 ..\0'), Buffer.from(blob, 'hex')]))
  const tree = await client.git('hash-object', '-t', 'tree', '-w', '--literally', join(home, 'raw'))
  const commit = await client.git('commit-tree', tree, '-p', 'HEAD', '-m', 'Out')

  await expect(client.git('push', 'origin', `${commit}:refs/heads/out`)).rejects.toThrow(/hasDotdot|unpack/)

  expect(await client.git('ls-remote', 'origin', 'refs/heads/out')).toBe('')
})

it('answers HEAD without a git that waits to be read', async () => {
  const made = await docent.post('/admin/v1/repositories', { name: 'wide', from: sampleSite }, asAdmin)
  const { id } = repositorySchema.parse(await made.json())
  const client = await clone({ name: 'default/wide' })
  const tip = await client.git('rev-parse', 'HEAD')
  // Far more than pipes and streams hold.
  const refs = Array.from({ length: 10_000 }, (_, index) => `${tip} refs/heads/${'wide'.repeat(10)}-${index}\n`)
  await writeFile(join(docent.folder, 'repositories', `${id}.git`, 'packed-refs'), refs.join(''))
  const url = `${docent.url}/git/default/wide.git/info/refs?service=git-upload-pack`

  for (let index = 0; index < 9; index++) {
    const head = await fetch(url, { method: 'HEAD', headers: basic(adminKey) })
    expect([head.status, head.headers.get('content-type')]).toEqual([
      200,
      'application/x-git-upload-pack-advertisement',
    ])
  }

  // As many as there may be processes have come before it.
  expect((await refsOf('git-upload-pack', basic(adminKey))).status).toBe(200)
})

it('tells by its status and a sentence that a body is not compressed as it says', async () => {
  const response = await fetch(`${docent.url}/git/default/docs.git/git-upload-pack`, {
    method: 'POST',
    headers: {
      ...basic(adminKey),
      'content-type': 'application/x-git-upload-pack-request',
      'content-encoding': 'gzip',
    },
    body: '0000',
  })

  expect(response.status).toBe(400)
  expect(errorBodySchema.parse(await response.json())).toMatchObject({ code: 'invalid_request' })
})

it('refuses a body that grows beyond its limit, and goes on serving', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))

  const reply = await fetch(`${docent.url}/git/default/docs.git/git-upload-pack`, {
    method: 'POST',
    headers: {
      ...basic(adminKey),
      'content-type': 'application/x-git-upload-pack-request',
      'content-encoding': 'gzip',
    },
    body: bomb,
  })
    .then(
      (response) => response.arrayBuffer().then((body) => body.byteLength),
      () => 0,
    )
    .catch(() => 0)

  expect(reply).toBeLessThan(1024)
  expect((await refsOf('git-upload-pack', basic(adminKey))).status).toBe(200)
})

it('imports a folder and a repository with its history, and gives a name once', async () => {
  const origin = await createGitRepository()
  try {
    await origin.write('docs/index.md', '# Old\n')
    origin.commit('First')
    await origin.write('docs/index.md', '# New\n')
    const tip = origin.commit('Second')
    const create = (body: object) => docent.post('/admin/v1/repositories', body, asAdmin)

    const imported = await create({ name: 'handbook', from: origin.folder })
    const repository = repositorySchema.parse(await imported.json())

    expect(repository).toMatchObject({ name: 'default/handbook', defaultBranch: 'main' })
    const client = await clone({ name: 'default/handbook' })
    expect(await client.git('rev-parse', 'HEAD')).toBe(tip)
    expect(await client.git('rev-list', '--count', 'HEAD')).toBe('2')
    expect((await create({ name: 'handbook', from: origin.folder })).status).toBe(409)
    expect((await create({ name: 'none', from: join(origin.folder, 'missing') })).status).toBe(400)
    expect((await create({ name: 'relative', from: 'docs' })).status).toBe(400)
    expect((await create({ name: '../up', from: origin.folder })).status).toBe(400)
    const list = repositoryListSchema.parse(await (await docent.get('/admin/v1/repositories', asAdmin)).json())
    expect(list.items.map(({ name }) => name)).toEqual(expect.arrayContaining(['default/docs', 'default/handbook']))
  } finally {
    await origin.remove()
  }
})

it('imports and indexes nothing of its own data folder', async () => {
  const imported = await docent.post('/admin/v1/repositories', { name: 'own', from: docent.folder }, asAdmin)
  expect(imported.status).toBe(400)
  expect(errorBodySchema.parse(await imported.json()).error).toContain("this service's own data")

  const source = { kind: 'folder', location: join(docent.folder, 'repositories') }
  const made = await docent.post('/admin/v1/sites', { slug: 'own', name: 'Own', source }, asAdmin)
  const { id } = siteSchema.parse(await made.json())
  const read = async () => siteSchema.parse(await (await docent.get(`/admin/v1/sites/${id}`, asAdmin)).json()).run
  await vi.waitFor(async () => expect((await read())?.state).toBe('failed'), { timeout: 60_000 })
  expect(JSON.stringify(await read())).toContain("this service's own data")
})

it('deletes a repository for good, and none that a site is read from', async () => {
  const create = () => docent.post('/admin/v1/repositories', { name: 'short', from: sampleSite }, asAdmin)
  const { id } = repositorySchema.parse(await (await create()).json())
  const [docs] = repositoryListSchema.parse(await (await docent.get('/admin/v1/repositories', asAdmin)).json()).items
  const remove = (id = '') => fetch(`${docent.url}/admin/v1/repositories/${id}`, { method: 'DELETE', headers: asAdmin })

  const replies = [(await remove(docs?.id)).status, (await remove(id)).status, (await remove(id)).status]

  expect(replies).toEqual([409, 204, 404])
  const gone = await docent.get('/git/default/short.git/info/refs?service=git-upload-pack', basic(adminKey))
  expect(gone.status).toBe(404)
  expect((await create()).status).toBe(201)
})

it('makes no site of a repository that is not there', async () => {
  const source = { kind: 'builtin', location: 'default/none' }
  const response = await docent.post('/admin/v1/sites', { slug: 'none', name: 'None', source }, asAdmin)

  expect(response.status).toBe(404)
  expect(errorBodySchema.parse(await response.json()).code).toBe('repository_not_found')
})
