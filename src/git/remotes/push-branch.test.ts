import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished, describe, expect, it } from 'vitest'
import { createGitRepository } from '../../../test/support/git-repository.ts'
import { type GitServingServerOptions, startGitServingServer } from '../../../test/support/git-serving-server.ts'
import { startGitServer } from '../../../test/support/git-server.ts'
import { createBareRepository, importRepository } from '../repositories/bare-repository.ts'
import { pushBranch } from './push-branch.ts'
import { readRef } from '../repositories/refs.ts'
import { resolveRemote } from './resolve-remote.ts'

const live = new AbortController().signal
const branch = 'docent/edit-1'

async function setup(policy: GitServingServerOptions['policy'] = {}) {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  await repository.write('index.md', '# Home\n')
  const base = repository.commit()
  const served = join(repository.outside, 'served.git')
  await createBareRepository(served)
  await importRepository({ gitDirectory: served, from: repository.folder, ref: null, branch: 'main' }, live)
  const server = await startGitServingServer({
    gitDirectory: served,
    policy: { protectedRefs: ['refs/heads/main'], ...policy },
  })
  onTestFinished(server.stop)
  await repository.write('index.md', '# Start\n')
  const commit = repository.commit()
  const gitDirectory = join(repository.folder, '.git')
  const remote = await resolveRemote({ allowsPrivateAddresses: true }, server.url, null)
  const push = (parts: { branch?: string; commit?: string; expected?: string | null } = {}) =>
    pushBranch({ gitDirectory, remote, branch, commit, expected: null, ...parts }, live)
  const read = (name: string) => readRef({ gitDirectory: served, ref: `refs/heads/${name}` }, live)
  return { ...repository, base, commit, gitDirectory, push, read, server }
}

describe('pushBranch', () => {
  it('makes the branch, and counts as pushed when it is done again', async () => {
    const { push, read, commit: id } = await setup()

    const outcomes = [await push(), await push(), await push({ expected: id })]

    expect(outcomes).toEqual([{ outcome: 'pushed' }, { outcome: 'pushed' }, { outcome: 'pushed' }])
    expect(await read(branch)).toBe(id)
  })

  it('moves the branch only from what is expected', async () => {
    const { push, read, write, commit, git, base, folder } = await setup()
    const first = git(['rev-parse', 'HEAD'])
    await push()
    await write('page.md', 'More\n')
    git(['add', '--all'], { cwd: folder })
    git(['commit', '--quiet', '-m', 'More'])
    const second = git(['rev-parse', 'HEAD'])

    const outcomes = [
      await push({ commit: second, expected: null }),
      await push({ commit: second, expected: base }),
      await push({ commit: second, expected: first }),
    ]

    expect(outcomes).toEqual([{ outcome: 'stale' }, { outcome: 'stale' }, { outcome: 'pushed' }])
    expect([await read(branch), typeof commit]).toEqual([second, 'string'])
  })

  it('says when the host has a rule against it', async () => {
    const { push, read, base } = await setup()

    const outcome = await push({ branch: 'main', expected: base })

    expect(outcome).toEqual({ outcome: 'refused', message: expect.stringContaining('open a pull request') })
    expect(await read('main')).toBe(base)
  })

  it('takes no branch and no id that could be an option', async () => {
    const { push } = await setup()

    await expect(push({ branch: '--mirror' })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(push({ commit: '--all' })).rejects.toThrow(/not a full object id/)
    await expect(push({ expected: '--all' })).rejects.toThrow(/not a full object id/)
  })

  it('runs no hook and sends nothing along that the configuration asks for', async () => {
    const { push, git, gitDirectory, writeTrap, outside, read } = await setup()
    git(['config', 'core.hooksPath', join(gitDirectory, 'traps')])
    await mkdir(join(gitDirectory, 'traps'))
    await copyFile(await writeTrap('hook'), join(gitDirectory, 'traps/pre-push'))
    git(['config', 'push.followTags', 'true'])
    git(['config', 'push.pushOption', 'x'])
    git(['tag', '--annotate', '-m', 'A tag', 'v1'])

    const outcome = await push()

    expect(outcome).toEqual({ outcome: 'pushed' })
    expect(await read('v1')).toBeNull()
    expect((await readdir(outside)).filter((name) => name.endsWith('.fired'))).toEqual([])
  })

  it('hides the credential in what it says, in every form', async () => {
    const { gitDirectory, commit: id, outside } = await setup()
    const token = 'canary-token-6f1d'
    const server = await startGitServer({ folder: outside, credential: () => 'someone:else' })
    onTestFinished(server.stop)
    const remote = await resolveRemote({ allowsPrivateAddresses: true }, `${server.url}/served.git`, {
      username: 'x',
      token,
    })

    const pushing = pushBranch({ gitDirectory, remote, branch, commit: id, expected: null }, live)

    const error: unknown = await pushing.catch((reason: unknown) => reason)
    const text = error instanceof Error ? `${error.message}${error.stack}` : ''
    const forms = [
      token,
      Buffer.from(token).toString('base64'),
      Buffer.from(`x:${token}`).toString('base64'),
      encodeURIComponent(token),
      token.split('').reverse().join(''),
    ]
    expect(error).toMatchObject({ code: 'invalid_request' })
    expect(forms.filter((form) => text.includes(form))).toEqual([])
  })
})
