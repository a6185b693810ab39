import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createGitRepository } from '../../test/support/git-repository.ts'
import { openCommitTree } from './trees/commit-tree.ts'
import { runGit } from './run-git.ts'

// Each test first shows that plain git falls for the attack here, so that a test that no longer attacks turns red.

const live = new AbortController().signal

afterEach(() => void vi.unstubAllEnvs())

async function setup() {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  await repository.write('page.md', 'text')
  const fired = () => readdirSync(repository.outside).filter((name) => name.endsWith('.fired'))
  const clearMarks = async () => {
    for (const name of fired()) await rm(join(repository.outside, name))
  }
  const readEverything = async (ref: string | null = null, folder = repository.folder) => {
    const tree = await openCommitTree({ repository: folder, ref, subdirectory: '' }, live)
    try {
      const reads = await Promise.allSettled(tree.paths.map((path) => tree.read(path)))
      return { paths: tree.paths, failures: reads.filter(({ status }) => status === 'rejected').length }
    } finally {
      tree.close()
    }
  }
  return { ...repository, fired, clearMarks, readEverything }
}

describe('a ref that is an option', () => {
  it('writes no file through --output', async () => {
    const { commit, tryGit, outside, readEverything } = await setup()
    commit()
    const victim = join(outside, 'victim')
    tryGit(['log', `--output=${victim}`])
    expect(existsSync(victim)).toBe(true)
    await rm(victim)

    const reading = readEverything(`--output=${victim}`)

    await expect(reading).rejects.toMatchObject({ code: 'invalid_request' })
    expect(existsSync(victim)).toBe(false)
  })

  it('runs no program through --upload-pack', async () => {
    const { commit, tryGit, fired, clearMarks, writeTrap, readEverything } = await setup()
    commit()
    const trap = await writeTrap('upload-pack')
    tryGit(['fetch', `--upload-pack=${trap}`, '.'])
    expect(fired()).toEqual(['upload-pack.fired'])
    await clearMarks()

    const reading = readEverything(`--upload-pack=${trap}`)

    await expect(reading).rejects.toMatchObject({ code: 'invalid_request' })
    expect(fired()).toEqual([])
  })
})

describe('a hostile repository', () => {
  it('runs none of the programs that its configuration and hooks name', async () => {
    const { commit, git, tryGit, write, folder, fired, clearMarks, writeTrap, readEverything } = await setup()
    await write('.gitattributes', '*.md filter=pwn diff=pwn\n')
    commit()
    git(['config', 'core.fsmonitor', await writeTrap('fsmonitor')])
    git(['config', 'diff.external', await writeTrap('external-diff')])
    git(['config', 'filter.pwn.clean', await writeTrap('clean-filter')])
    git(['config', 'filter.pwn.smudge', await writeTrap('smudge-filter')])
    await mkdir(join(folder, '.git/hooks'), { recursive: true })
    await writeFile(join(folder, '.git/hooks/post-checkout'), await readFile(await writeTrap('hook')), { mode: 0o755 })
    await write('page.md', 'edited text')
    tryGit(['status'])
    tryGit(['diff'])
    tryGit(['checkout', '--force', '--detach'])
    expect(fired()).toEqual([
      'clean-filter.fired',
      'external-diff.fired',
      'fsmonitor.fired',
      'hook.fired',
      'smudge-filter.fired',
    ])
    await clearMarks()

    const read = await readEverything()

    expect(read).toEqual({ paths: ['.gitattributes', 'page.md'], failures: 0 })
    expect(fired()).toEqual([])
  })

  it('runs no program and asks no network for an object that it withholds', async () => {
    const { commit, git, tryGit, folder, fired, clearMarks, writeTrap, readEverything } = await setup()
    commit()
    const id = git(['rev-parse', 'HEAD:page.md'])
    await rm(join(folder, '.git/objects', id.slice(0, 2), id.slice(2)))
    git(['config', 'core.repositoryFormatVersion', '1'])
    git(['config', 'extensions.partialClone', 'origin'])
    git(['config', 'remote.origin.url', 'ssh://example.invalid/repository'])
    git(['config', 'remote.origin.promisor', 'true'])
    git(['config', 'core.sshCommand', await writeTrap('ssh-command')])
    git(['config', 'protocol.ssh.allow', 'always'])
    tryGit(['cat-file', 'blob', id])
    expect(fired()).toEqual(['ssh-command.fired'])
    await clearMarks()

    const read = await readEverything()

    expect(read).toEqual({ paths: ['page.md'], failures: 1 })
    expect(fired()).toEqual([])
  })

  it('gains nothing by a bare repository among its files', async () => {
    const { commit, git, tryGit, folder, write, fired, clearMarks, writeTrap, readEverything } = await setup()
    const embedded = join(folder, 'docs/bare')
    git(['init', '--quiet', '--bare', 'docs/bare'])
    const trap = await writeTrap('embedded')
    await write(
      'docs/bare/config',
      `[core]\n\trepositoryFormatVersion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${trap}\n`,
    )
    // Git commits no empty folder, so an attacker fills both with a file.
    await write('docs/bare/objects/keep', '')
    await write('docs/bare/refs/keep', '')
    commit()
    tryGit(['status'], { cwd: embedded })
    expect(fired()).toEqual(['embedded.fired'])
    await clearMarks()

    const read = await readEverything()

    expect(read.paths).toContain('docs/bare/config')
    expect(read.failures).toBe(0)
    expect(fired()).toEqual([])
  })

  it('reaches no file outside through a link', async () => {
    const { commit, link, outside, folder, readEverything } = await setup()
    await writeFile(join(outside, 'secret.md'), 'secret')
    await link('leak.md', '../secret.md')
    commit()
    expect(await readFile(join(folder, 'leak.md'), 'utf8')).toBe('secret')

    const read = await readEverything()

    expect(read.paths).toEqual(['page.md'])
  })

  it('cannot give a commit another content through replacement refs', async () => {
    const { commit, git, write, folder } = await setup()
    commit()
    const honest = git(['rev-parse', 'HEAD:page.md'])
    await write('other.md', 'replaced')
    git(['replace', honest, git(['hash-object', '-w', 'other.md'])])
    expect(git(['cat-file', 'blob', 'HEAD:page.md'])).toBe('replaced')
    const tree = await openCommitTree({ repository: folder, ref: null, subdirectory: '' }, live)
    onTestFinished(() => tree.close())

    const bytes = await tree.read('page.md')

    expect(new TextDecoder().decode(bytes)).toBe('text')
  })

  it('cannot name files with paths that lead elsewhere', async () => {
    const { commit, git, readEverything } = await setup()
    commit()
    const blob = git(['rev-parse', 'HEAD:page.md'])
    const inner = git(['mktree'], { input: `100644 blob ${blob}\tescaped.md\n` })
    const outer = git(['mktree'], {
      input: `040000 tree ${inner}\t..\n040000 tree ${inner}\t.GIT\n100644 blob ${blob}\tpage.md\n`,
    })
    const commitId = git(['commit-tree', outer, '-m', 'Hostile'])
    expect(git(['ls-tree', '-r', '--name-only', commitId])).toContain('../escaped.md')

    const read = await readEverything(commitId)

    expect(read.paths).toEqual(['page.md'])
  })

  it('cannot redirect a branch by a tag of the same name', async () => {
    const { commit, git, write, readEverything } = await setup()
    commit()
    await write('hostile.md', 'hostile')
    git(['switch', '--quiet', '--create', 'side'])
    commit()
    git(['tag', 'main'])
    expect(git(['rev-parse', 'main'])).toBe(git(['rev-parse', 'side']))

    const read = await readEverything('main')

    expect(read.paths).toEqual(['page.md'])
  })
})

describe('a hostile environment', () => {
  it('neither redirects git nor makes it write or run anything', async () => {
    const { commit, git, outside, fired, clearMarks, writeTrap, readEverything } = await setup()
    commit()
    const trace = join(outside, 'trace.fired')
    const hostile = {
      GIT_TRACE: trace,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: await writeTrap('environment'),
    }
    git(['status'], { env: hostile })
    expect(fired()).toEqual(['environment.fired', 'trace.fired'])
    await clearMarks()
    for (const [name, value] of Object.entries({ ...hostile, GIT_DIR: join(outside, 'elsewhere') }))
      vi.stubEnv(name, value)

    const read = await readEverything()

    expect(read).toEqual({ paths: ['page.md'], failures: 0 })
    expect(fired()).toEqual([])
  })
})

describe('runGit', () => {
  it('starts no monitor and no hook even for commands that look at a working tree', async () => {
    const { commit, git, folder, fired, clearMarks, writeTrap } = await setup()
    commit()
    git(['config', 'core.fsmonitor', await writeTrap('fsmonitor')])
    git(['config', 'core.hooksPath', join(folder, '.git/traps')])
    await mkdir(join(folder, '.git/traps'))
    await writeFile(join(folder, '.git/traps/post-checkout'), await readFile(await writeTrap('hook')), { mode: 0o755 })
    git(['status'])
    git(['checkout', '--quiet', '--detach'])
    expect(fired()).toEqual(['fsmonitor.fired', 'hook.fired'])
    await clearMarks()

    const run = (...args: string[]) =>
      runGit({ gitDirectory: join(folder, '.git'), args: [`--work-tree=${folder}`, ...args], signal: live })
    const outcomes = [await run('status'), await run('checkout', '--quiet', 'main')]

    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 0])
    expect(fired()).toEqual([])
  })

  it('uses no network protocol', async () => {
    const { commit, git, outside, folder } = await setup()
    commit()
    git(['ls-remote', folder])

    const outcome = await runGit({
      gitDirectory: join(folder, '.git'),
      args: ['ls-remote', '--', `file://${outside}/repository`],
      signal: live,
    })

    expect(outcome).toMatchObject({ exitCode: 128, stderr: expect.stringContaining("transport 'file' not allowed") })
  })
})
