import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts'
import { type GitServer, type GitServerOptions, startGitServer } from '../../../test/support/git-server.ts'
import { openCommitTree } from '../trees/commit-tree.ts'
import { Mirrors, type RemoteSource } from './mirrors.ts'

const run = promisify(execFile)
const { signal } = new AbortController()
const token = 'tok-9f8e7d6c5b'

let origin: GitRepository
let folder: string
let server: GitServer
const made: (() => Promise<void>)[] = []

beforeEach(async () => {
  origin = await createGitRepository()
  folder = await mkdtemp(join(tmpdir(), 'docent-mirrors-'))
  await origin.write('docs/index.md', '# One\n')
  origin.commit()
})
afterEach(async () => {
  for (const undo of made.splice(0)) await undo()
  await origin.remove()
  await rm(folder, { recursive: true, force: true })
})

async function serve(options: Partial<GitServerOptions> = {}): Promise<GitServer> {
  server = await startGitServer({ folder: origin.outside, ...options })
  made.push(() => server.stop())
  return server
}
const mirrors = (more: object = {}) => new Mirrors({ folder, allowsPrivateAddresses: true, ...more })
const source = (more: Partial<RemoteSource> = {}): RemoteSource => ({
  location: `${server.url}/repository`,
  ref: null,
  credential: null,
  reader: 'site_1',
  ...more,
})

async function readIndex({ repository, revision }: { repository: string; revision: string }): Promise<string> {
  const tree = await openCommitTree({ repository, ref: revision, subdirectory: 'docs' }, signal)
  try {
    return new TextDecoder().decode(await tree.read('index.md'))
  } finally {
    tree.close()
  }
}

it('brings the newest commit of the main branch, and follows pushes, force pushes and renamed branches', async () => {
  await serve()
  const read: string[] = [await readIndex(await mirrors().fetch(source(), signal))]

  await origin.write('docs/index.md', '# Two\n')
  origin.commit()
  read.push(await readIndex(await mirrors().fetch(source(), signal)))
  origin.git(['checkout', '--quiet', '--orphan', 'other'])
  await origin.write('docs/index.md', '# Three\n')
  const forced = origin.commit()
  origin.git(['branch', '--force', 'main', forced])
  const commit = await mirrors().fetch(source({ ref: 'main' }), signal)
  read.push(await readIndex(commit))

  expect(read).toEqual(['# One\n', '# Two\n', '# Three\n'])
  expect(commit.revision).toBe(forced)
})

it('follows a branch, a tag and a commit, and says which ref is not there', async () => {
  await serve()
  const first = origin.git(['rev-parse', 'HEAD'])
  origin.git(['tag', '-a', '-m', 'A release', 'v1'])
  await origin.write('docs/index.md', '# Two\n')
  const second = origin.commit()

  const revisions = await Promise.all(
    ['main', 'v1', first].map(async (ref) => (await mirrors().fetch(source({ ref }), signal)).revision),
  )

  expect(revisions).toEqual([second, first, first])
  await expect(mirrors().fetch(source({ ref: 'gone' }), signal)).rejects.toThrow('no branch or tag "gone"')
  await expect(mirrors().fetch(source({ ref: '--upload-pack=x' }), signal)).rejects.toThrow('not a valid')
})

it('fetches nothing when nothing has changed', async () => {
  await serve()
  await mirrors().fetch(source(), signal)
  const before = server.requests.length

  const tip = await mirrors().findTip(source(), signal)
  await mirrors().fetch(source(), signal)

  expect(tip.revision).toBe(origin.git(['rev-parse', 'HEAD']))
  // Two round trips per check: the capabilities, and the refs.
  expect(server.requests.slice(before).map(({ line }) => line)).toEqual([
    'GET /repository/info/refs?service=git-upload-pack',
    'POST /repository/git-upload-pack',
    'GET /repository/info/refs?service=git-upload-pack',
    'POST /repository/git-upload-pack',
  ])
})

it('fetches a commit by its id without asking for it before, and asks whether it may still be read', async () => {
  await serve()
  const ref = origin.git(['rev-parse', 'HEAD'])
  const looks = () => server.requests.filter(({ line }) => line.startsWith('GET')).length

  const fetched = await mirrors().fetch(source({ ref }), signal)
  expect([fetched.revision, looks()]).toEqual([ref, 1])

  await mirrors().fetch(source({ ref }), signal)
  expect(looks()).toBe(2)
})

it('supports concurrent fetches into one mirror', async () => {
  await serve()

  const commits = await Promise.all(Array.from({ length: 6 }, () => mirrors().fetch(source(), signal)))

  expect(new Set(commits.map(({ repository }) => repository)).size).toBe(1)
  expect(await readIndex(commits[5] ?? { repository: '', revision: '' })).toBe('# One\n')
})

it('sends a credential in the header alone, and keeps it out of the disk, the arguments and every error', async () => {
  let wanted = `x-access-token:${token}`
  await serve({ credential: () => wanted })
  const credential = { username: 'x-access-token', token }
  const processes: string[] = []
  const watch = setInterval(() => {
    run('ps', ['-eo', 'args']).then(
      ({ stdout }) => processes.push(stdout),
      () => undefined,
    )
  }, 20)

  const commit = await mirrors().fetch(source({ credential }), signal)
  clearInterval(watch)
  wanted = 'x-access-token:another'
  const failure = await mirrors()
    .fetch(source({ credential }), signal)
    .catch((error: unknown) => error)

  expect(server.requests.some(({ authorization }) => authorization !== null)).toBe(true)
  expect(await readIndex(commit)).toBe('# One\n')
  expect(failure).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('different credential') })
  const encoded = Buffer.from(`x-access-token:${token}`).toString('base64')
  const seen = [JSON.stringify(failure), String(failure), ...processes, await readAll(folder)].join('\n')
  for (const form of [token, encoded, Buffer.from(token).toString('base64')]) expect(seen).not.toContain(form)
})

it("removes the credential from git's output, even from a hostile server", async () => {
  const credential = { username: 'x-access-token', token }
  await serve({
    intercept: (request, response) => {
      const encoded = (request.headers.authorization ?? '').slice('Basic '.length)
      const said = `ERR ${encoded} ${Buffer.from(encoded, 'base64').toString()} ${token}`
      const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
      response.end(`${line('# service=git-upload-pack\n')}0000${line(said)}`)
      return true
    },
  })

  const failure: unknown = await mirrors()
    .fetch(source({ credential }), signal)
    .catch((error: unknown) => error)

  expect(String(failure)).toContain('(hidden)')
  expect(String(failure)).not.toContain(token)
  expect(String(failure)).not.toContain(Buffer.from(`x-access-token:${token}`).toString('base64'))
})

it('does not serve a local commit without read access', async () => {
  let wanted: string | null = `x-access-token:${token}`
  await serve({ credential: () => wanted })
  const { revision } = await mirrors().fetch(
    source({ credential: { username: 'x-access-token', token }, ref: origin.git(['rev-parse', 'HEAD']) }),
    signal,
  )

  await expect(mirrors().fetch(source({ ref: revision, reader: 'site_2' }), signal)).rejects.toThrow('credential')
  wanted = 'x-access-token:changed'
  await expect(
    mirrors().fetch(source({ ref: revision, credential: { username: 'x-access-token', token } }), signal),
  ).rejects.toThrow('credential')
})

it('follows no redirect', async () => {
  const other = await startGitServer({ folder: origin.outside })
  made.push(() => other.stop())
  await serve({
    intercept: (request, response) => {
      response.writeHead(302, { location: `${other.url}${request.url ?? ''}` }).end()
      return true
    },
  })

  await expect(mirrors().fetch(source(), signal)).rejects.toThrow('redirects')
  expect(other.requests).toEqual([])
})

it('dials only the address that was checked', async () => {
  await serve({ host: '127.0.0.2' })
  const location = `http://localhost:${server.port}/repository`
  const pinned = mirrors({ lookUp: async () => ['127.0.0.2'] })
  const elsewhere = mirrors({ lookUp: async () => ['127.0.0.3'] })

  const commit = await pinned.fetch(source({ location }), signal)

  expect(await readIndex(commit)).toBe('# One\n')
  await expect(elsewhere.fetch(source({ location }), signal)).rejects.toThrow('does not answer')
})

it('refuses private addresses unless the operator allows them', async () => {
  await serve()
  const closed = mirrors({ allowsPrivateAddresses: false })

  await expect(closed.fetch(source(), signal)).rejects.toThrow('DOCENT_ALLOW_PRIVATE_ADDRESSES')
  expect(server.requests).toEqual([])
})

it('continues after a killed fetch', async () => {
  await serve()
  const { repository } = await mirrors().fetch(source(), signal)
  await writeFile(join(repository, 'shallow.lock'), '')
  await writeFile(join(repository, 'objects/pack/tmp_pack_x'), 'half')
  await origin.write('docs/index.md', '# Two\n')
  origin.commit()

  const commit = await mirrors().fetch(source(), signal)

  expect(await readIndex(commit)).toBe('# Two\n')
  expect(await readdir(join(repository, 'objects/pack'))).not.toContain('tmp_pack_x')
})

it('recreates a damaged mirror', async () => {
  await serve()
  const { repository } = await mirrors().fetch(source(), signal)
  for (const name of await readdir(join(repository, 'objects/pack')))
    await rm(join(repository, 'objects/pack', name), { force: true })

  const commit = await mirrors().fetch(source(), signal)

  expect(await readIndex(commit)).toBe('# One\n')
})

it('stops an aborted fetch with its helpers', async () => {
  await serve({ intercept: ({ method }) => method === 'POST' })
  const controller = new AbortController()
  const fetching = mirrors().fetch(source(), controller.signal)
  while (!server.requests.some(({ line }) => line.startsWith('POST'))) await wait(10)

  controller.abort(new Error('enough'))

  await expect(fetching).rejects.toThrow('enough')
  await expect.poll(async () => (await run('ps', ['-eo', 'args'])).stdout).not.toContain(`:${server.port}/repository`)
})

it('removes the mirrors that no source names any more', async () => {
  await serve()
  const { repository } = await mirrors().fetch(source(), signal)

  const owner = { location: source().location, hasCredential: false, reader: 'site_1' }
  await mirrors().removeUnused([owner])
  const kept = await readdir(folder)
  await mirrors().removeUnused([{ ...owner, location: 'https://example.com/x' }])

  expect(kept).toContain(repository.slice(folder.length + 1))
  expect(await readdir(folder)).toEqual([])
})

async function readAll(path: string): Promise<string> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const texts = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')))
  return texts.join('\n')
}
