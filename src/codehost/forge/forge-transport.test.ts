import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeCommitInto } from '../../../test/support/forge-deps.ts'
import { createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts'
import { type GitServer, startGitServer } from '../../../test/support/git-server.ts'
import { findMergeBase } from '../../git/commits/diff-commits.ts'
import { Mirrors } from '../../git/remotes/mirrors.ts'
import { ForgeError } from './forge-error.ts'
import { createForgeTransport, type ForgeTransport } from './forge-transport.ts'

const live = new AbortController().signal
const credential = { username: 'x-access-token', token: 'forge-token-0123456789' }

let folder: string
let original: GitRepository
let origin: GitRepository
let server: GitServer
let transport: ForgeTransport
let wanted: string | null
beforeAll(async () => {
  original = await createGitRepository()
  original.git(['config', 'http.receivepack', 'true'])
  original.git(['config', 'receive.denyCurrentBranch', 'ignore'])
  for (const text of ['One', 'Two', 'Three']) {
    await original.write('page.md', `${text}\n`)
    original.commit(text)
  }
})
afterAll(() => original.remove())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-transport-'))
  origin = await createGitRepository(original)
  await symlink(join(origin.folder, '.git'), join(origin.outside, 'repository.git'))
  wanted = `${credential.username}:${credential.token}`
  server = await startGitServer({ folder: origin.outside, credential: () => wanted })
  const network = { allowsPrivateAddresses: true }
  const mirrors = new Mirrors({ ...network, folder: join(folder, 'mirrors') })
  transport = createForgeTransport(
    { ...network, mirrors },
    { location: `${server.url}/repository.git`, path: 'repository', reader: 'site_1' },
  )
})
afterEach(async () => {
  await server.stop()
  await origin.remove()
  await rm(folder, { recursive: true, force: true })
})

const tipOf = (branch: string) => origin.git(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`])

/** A commit on top of main, written into the mirror as a job does. */
async function makeCommit(text = 'Changed\n') {
  const { commit: base } = await transport.resolveBranch(null, credential, live)
  const { gitDirectory } = await transport.openBase(base, credential, live)
  const commit = writeCommitInto(gitDirectory, { parent: base, files: { 'page.md': text }, message: 'Change' })
  return { gitDirectory, base, commit }
}

const push = (branch: string, commit: string, expected: string | null) =>
  transport.pushBranch({ branch, commit, expected, defaultBranch: 'main' }, credential, live)

describe('resolveBranch', () => {
  it('finds the default branch as the repository reports it, and others by name', async () => {
    origin.git(['branch', 'stable', 'main~1'])

    expect(await transport.resolveBranch(null, credential, live)).toEqual({ branch: 'main', commit: tipOf('main') })
    expect(await transport.resolveBranch('stable', credential, live)).toEqual({
      branch: 'stable',
      commit: tipOf('stable'),
    })
  })

  it('distinguishes a missing branch from a host that refuses or does not answer', async () => {
    await expect(transport.resolveBranch('missing', credential, live)).rejects.toMatchObject({
      code: 'invalid_request',
    })
    wanted = 'somebody:else'
    await expect(transport.resolveBranch('main', credential, live)).rejects.toMatchObject({ reason: 'unauthorized' })
    await server.stop()
    await expect(transport.resolveBranch('main', credential, live)).rejects.toMatchObject({ reason: 'unavailable' })
  })
})

describe('pushBranch', () => {
  it('creates a branch from a mirror with only the newest commit, and can push it twice', async () => {
    const { gitDirectory, commit } = await makeCommit()
    expect(await findMergeBase({ gitDirectory, ours: commit, theirs: tipOf('main') }, live)).toBe(tipOf('main'))

    expect(await push('docent/change', commit, null)).toEqual({ outcome: 'pushed', commit })
    expect(await push('docent/change', commit, null)).toEqual({ outcome: 'pushed', commit })

    expect(tipOf('docent/change')).toBe(commit)
  })

  it('changes nothing if the branch has moved, and reports its tip', async () => {
    const { commit } = await makeCommit()
    origin.git(['branch', 'docent/change', 'main~1'])
    const there = tipOf('docent/change')

    expect(await push('docent/change', commit, null)).toEqual({ outcome: 'moved', commit: there })
    expect(await push('docent/change', commit, commit)).toEqual({ outcome: 'moved', commit: there })
    expect(await push('docent/gone', commit, there)).toEqual({ outcome: 'moved', commit: null })

    expect(tipOf('docent/change')).toBe(there)
    expect(await push('docent/change', commit, there)).toEqual({ outcome: 'pushed', commit })
  })

  it('never pushes to the default branch', async () => {
    const { commit, base } = await makeCommit()

    await expect(push('main', commit, base)).rejects.toMatchObject({ code: 'invalid_request' })

    expect(tipOf('main')).toBe(base)
  })

  it('explains that a rule of the repository forbids the push', async () => {
    origin.git(['config', 'receive.hideRefs', 'refs/heads/docent'])
    const { commit } = await makeCommit()

    const failure = await push('docent/change', commit, null).catch((error: unknown) => error)

    expect(failure).toBeInstanceOf(ForgeError)
    expect(failure).toMatchObject({
      reason: 'forbidden',
      message: expect.stringMatching(/deny updating a hidden ref.*Allow the credential's account/),
    })
  })

  it('reports that the repository no longer has the parent commit', async () => {
    const { commit } = await makeCommit()
    origin.git(['commit', '--quiet', '--amend', '-m', 'Rewritten'])

    const pushed = await push('docent/change', commit, null).catch((error: unknown) => error)

    expect(pushed).toBeInstanceOf(ForgeError)
    expect(pushed).toMatchObject({ reason: 'conflict', message: expect.stringContaining('was rewritten') })
  })
})

describe('openBase', () => {
  it('joins the histories of two branches fetched without history', async () => {
    origin.git(['switch', '--quiet', '--create', 'topic', 'main~2'])
    await origin.write('other.md', 'Other\n')
    origin.commit('Topic')
    const [main, topic, first] = [tipOf('main'), tipOf('topic'), origin.git(['rev-parse', 'main~2'])]
    await transport.openBase(main, credential, live)
    const opened = await transport.openBase(topic, credential, live)
    const { gitDirectory } = opened
    expect(await findMergeBase({ gitDirectory, ours: main, theirs: topic }, live)).toBeNull()

    await opened.joinHistory([main, topic], live)
    const asked = server.requests.length
    await opened.joinHistory([main, topic], live)

    expect(await findMergeBase({ gitDirectory, ours: main, theirs: topic }, live)).toBe(first)
    expect(server.requests.length).toBe(asked)
  })

  it('serves a local commit only while the credential opens the repository', async () => {
    const main = tipOf('main')
    await transport.openBase(main, credential, live)
    wanted = 'somebody:else'

    await expect(transport.openBase(main, credential, live)).rejects.toMatchObject({ reason: 'unauthorized' })
  })
})
