import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished, describe, expect, it } from 'vitest'
import { createGitRepository } from '../../../test/support/git-repository.ts'
import { createBareRepository, importFolder, importRepository, repackRepository } from './bare-repository.ts'
import { listRefs, readRef } from './refs.ts'

const live = new AbortController().signal
const author = { name: 'Docent', email: 'docent@localhost', at: 1_700_000_000_000 }

async function setup() {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  const gitDirectory = join(repository.outside, 'bare.git')
  const scratchFolder = join(repository.outside, 'scratch')
  await mkdir(scratchFolder)
  await createBareRepository(gitDirectory)
  const inBare = (args: readonly string[]) => repository.git(['--git-dir', gitDirectory, ...args])
  return { ...repository, gitDirectory, scratchFolder, inBare }
}

function filesOf(files: Record<string, string>) {
  return { paths: Object.keys(files), read: async (path: string) => new TextEncoder().encode(files[path] ?? '') }
}

describe('createBareRepository', () => {
  it('makes one that git finds nothing wrong with', async () => {
    const { inBare } = await setup()

    expect(inBare(['rev-parse', '--is-bare-repository', '--show-object-format'])).toBe('true\nsha1')
    expect(inBare(['symbolic-ref', 'HEAD'])).toBe('refs/heads/main')
    expect(inBare(['fsck', '--strict', '--no-dangling'])).toBe('')
  })

  it('repairs one whose making was cut short', async () => {
    const { gitDirectory, inBare } = await setup()
    await writeFile(join(gitDirectory, 'HEAD'), '')
    await rm(join(gitDirectory, 'refs'), { recursive: true })

    await createBareRepository(gitDirectory)

    expect(inBare(['symbolic-ref', 'HEAD'])).toBe('refs/heads/main')
  })

  it('leaves one that is there as it is', async () => {
    const { gitDirectory, scratchFolder } = await setup()
    const { commit } = await importFolder(
      { gitDirectory, files: filesOf({ 'a.md': 'A' }), branch: 'main', author, message: 'Import', scratchFolder },
      live,
    )

    await createBareRepository(gitDirectory)

    expect(await readRef({ gitDirectory, ref: 'refs/heads/main' }, live)).toBe(commit)
  })
})

describe('importFolder', () => {
  it('makes one commit of all files that can be written, and names the others', async () => {
    const { gitDirectory, scratchFolder, inBare } = await setup()
    const files = filesOf({ 'index.md': '# Home\n', 'a/b.md': '', '.git/config': 'x', 'a\\b': 'x' })

    const imported = await importFolder(
      { gitDirectory, files, branch: 'main', author, message: 'Import', scratchFolder },
      live,
    )

    expect(imported.skipped.map(({ path }) => path)).toEqual(['.git/config', 'a\\b'])
    expect(inBare(['log', '--format=%H %s', 'main'])).toBe(`${imported.commit} Import`)
    expect(inBare(['ls-tree', '-r', '--name-only', 'main']).split('\n')).toEqual(['a/b.md', 'index.md'])
    expect(inBare(['fsck', '--strict'])).not.toMatch(/error/)
  })

  it('does nothing the second time', async () => {
    const { gitDirectory, scratchFolder } = await setup()
    const run = (text: string) =>
      importFolder(
        { gitDirectory, files: filesOf({ 'a.md': text }), branch: 'main', author, message: 'Import', scratchFolder },
        live,
      )

    const [first, second] = [await run('one'), await run('two')]

    expect(second.commit).toBe(first.commit)
  })

  it('refuses a folder without a file', async () => {
    const { gitDirectory, scratchFolder } = await setup()

    const importing = importFolder(
      { gitDirectory, files: filesOf({}), branch: 'main', author, message: 'Import', scratchFolder },
      live,
    )

    await expect(importing).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('importRepository', () => {
  it('copies the history of a ref and nothing else', async () => {
    const { gitDirectory, inBare, write, commit, git, folder } = await setup()
    await write('a.md', 'One\n')
    commit('One')
    await write('a.md', 'Two\n')
    const second = commit('Two')
    git(['switch', '--quiet', '--create', 'side'])
    await write('secret.md', 'x')
    commit('Side')

    const imported = await importRepository({ gitDirectory, from: folder, ref: 'main', branch: 'main' }, live)

    expect(imported.commit).toBe(second)
    expect(inBare(['log', '--format=%s', 'main']).split('\n')).toEqual(['Two', 'One'])
    expect(await listRefs({ gitDirectory, prefix: 'refs/' }, live)).toEqual([
      { ref: 'refs/heads/main', commit: second },
    ])
    expect(inBare(['cat-file', '--batch-all-objects', '--batch-check']).split('\n')).toHaveLength(6)
  })

  it('refuses a name that is none of a branch, and leaves no ref behind', async () => {
    const { gitDirectory, write, commit, folder } = await setup()
    await write('a.md', 'One\n')
    commit('One')

    for (const branch of ['../main', '-x', 'a..b', 'a.lock', ''])
      await expect(importRepository({ gitDirectory, from: folder, ref: null, branch }, live)).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('branch'),
      })

    expect(await listRefs({ gitDirectory, prefix: 'refs/' }, live)).toEqual([])
  })

  it('takes the history that a shallow repository has', async () => {
    const { gitDirectory, inBare, write, commit, git, folder, outside } = await setup()
    await write('a.md', 'One\n')
    commit('One')
    await write('a.md', 'Two\n')
    const second = commit('Two')
    const shallow = join(outside, 'shallow')
    git(['clone', '--quiet', '--depth=1', `file://${folder}`, shallow])

    const imported = await importRepository({ gitDirectory, from: shallow, ref: null, branch: 'main' }, live)

    expect(imported.commit).toBe(second)
    expect(inBare(['log', '--format=%s', 'main'])).toBe('Two')
  })

  it('says what to do about a repository that lacks objects, and makes no branch', async () => {
    const { gitDirectory, write, commit, git, folder } = await setup()
    await write('a.md', 'One\n')
    commit('One')
    const id = git(['rev-parse', 'HEAD:a.md'])
    await rm(join(folder, '.git/objects', id.slice(0, 2), id.slice(2)))

    const importing = importRepository({ gitDirectory, from: folder, ref: null, branch: 'main' }, live)

    await expect(importing).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('complete new clone'),
    })
    expect(await readRef({ gitDirectory, ref: 'refs/heads/main' }, live)).toBeNull()
  })

  it('runs nothing that the configuration of the other repository names', async () => {
    const { gitDirectory, write, commit, git, folder, outside, writeTrap } = await setup()
    await write('a.md', 'One\n')
    commit('One')
    git(['config', 'uploadpack.packObjectsHook', await writeTrap('pack-objects-hook')])
    git(['config', 'core.fsmonitor', await writeTrap('fsmonitor')])
    git(['config', 'core.sshCommand', await writeTrap('ssh')])

    await importRepository({ gitDirectory, from: folder, ref: null, branch: 'main' }, live)

    expect((await readdir(outside)).filter((name) => name.endsWith('.fired'))).toEqual([])
  })
})

describe('tidying', () => {
  it('leaves a tidy repository alone', async () => {
    const { gitDirectory, write, commit, folder } = await setup()
    await write('a.md', 'One\n')
    commit('One')
    await importRepository({ gitDirectory, from: folder, ref: null, branch: 'main' }, live)

    expect(await repackRepository(gitDirectory, live)).toBe(false)
  })
})
