import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished, describe, expect, it } from 'vitest'
import { createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts'
import { commitOverlay, writeOverlayTree } from './commit-overlay.ts'
import { openCommitTree } from '../trees/commit-tree.ts'
import { Overlay } from './overlay.ts'
import { writeTree } from './write-tree.ts'

const live = new AbortController().signal
const encode = (text: string) => new TextEncoder().encode(text)
const author = { name: 'A. Writer', email: 'writer@example.com', at: 1_700_000_000_999 }

async function setup(fill: (repository: GitRepository) => Promise<void> = async () => {}, subdirectory = '') {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  await repository.write('index.md', '# Home\n')
  await repository.write('docs/guide.md', '# Guide\n')
  await fill(repository)
  const base = repository.commit()
  const scratchFolder = join(repository.outside, 'scratch')
  await mkdir(scratchFolder)
  const tree = await openCommitTree({ repository: repository.folder, ref: base, subdirectory }, live)
  onTestFinished(() => tree.close())
  const overlay = new Overlay(tree)
  const gitDirectory = join(repository.folder, '.git')
  const commit = (parts: { parents?: string[]; message?: string } = {}) =>
    commitOverlay(
      { gitDirectory, base, overlay, subdirectory, author, message: 'Edit pages\n\nBecause.', scratchFolder, ...parts },
      live,
    )
  const show = (revision: string) =>
    repository.git(['diff-tree', '-r', '-M', '--name-status', base, revision]).split('\n')
  return { ...repository, base, overlay, commit, show, gitDirectory, scratchFolder }
}

describe('commitOverlay', () => {
  it('changes the planned files and nothing else, without touching the branch, the index or the working tree', async () => {
    const { overlay, commit, show, git, base, scratchFolder } = await setup()
    await overlay.write('index.md', encode('# Start\n'))
    await overlay.write('new/ページ.md', encode('New\n'))
    await overlay.move('docs/guide.md', 'docs/manual.md')

    const { commit: id, tree } = await commit()

    expect(show(id)).toEqual([
      'R100\tdocs/guide.md\tdocs/manual.md',
      'M\tindex.md',
      'A\t"new/\\343\\203\\232\\343\\203\\274\\343\\202\\270.md"',
    ])
    expect(git(['show', '-s', '--format=%T|%P|%an|%ae|%at|%ct|%B', id])).toBe(
      `${tree}|${base}|A. Writer|writer@example.com|1700000000|1700000000|Edit pages\n\nBecause.`,
    )
    expect([git(['rev-parse', 'HEAD']), git(['status', '--porcelain'])]).toEqual([base, ''])
    expect(git(['fsck', '--strict'])).not.toMatch(/error|warning/)
    expect(await readdir(scratchFolder)).toEqual([])
  })

  it('gives the same commit when it is done again', async () => {
    const { overlay, commit } = await setup()
    await overlay.write('index.md', encode('# Start\n'))

    const first = await commit()
    const second = await commit()

    expect(second).toEqual(first)
  })

  it('keeps the mode of a file, also when it is moved', async () => {
    const { overlay, commit, git } = await setup(async ({ write, git: run }) => {
      await write('run.sh', '#!/bin/sh\n')
      await write('tool.sh', '#!/bin/sh\n')
      run(['add', '--all'])
      run(['update-index', '--chmod=+x', 'run.sh', 'tool.sh'])
      run(['config', 'core.fileMode', 'false'])
    })
    await overlay.write('run.sh', encode('#!/bin/sh\necho\n'))
    await overlay.move('tool.sh', 'bin/tool.sh')
    await overlay.write('new.md', encode('x'))

    const { commit: id } = await commit()

    const modes = git(['ls-tree', '-r', id])
      .split('\n')
      .map((line) => line.replace(/ blob \w+\t/, ' '))
    expect(modes).toEqual([
      '100755 bin/tool.sh',
      '100644 docs/guide.md',
      '100644 index.md',
      '100644 new.md',
      '100755 run.sh',
    ])
  })

  it('places the files of a subdirectory there', async () => {
    const { overlay, commit, show } = await setup(undefined, 'docs')
    await overlay.write('guide.md', encode('edited'))
    await overlay.write('new.md', encode('new'))

    const { commit: id } = await commit()

    expect(show(id)).toEqual(['M\tdocs/guide.md', 'A\tdocs/new.md'])
  })

  it('replaces a file by a folder and a folder by a file', async () => {
    const { overlay, commit, git } = await setup()
    overlay.delete('index.md')
    await overlay.write('index.md/page.md', encode('x'))
    overlay.delete('docs/guide.md')
    await overlay.write('docs', encode('y'))

    const { commit: id } = await commit()

    expect(git(['ls-tree', '-r', '--name-only', id]).split('\n')).toEqual(['docs', 'index.md/page.md'])
  })

  it('writes bytes as they are, whatever the attributes say', async () => {
    const { overlay, commit, git } = await setup(({ write }) => write('.gitattributes', '*.md text eol=lf\n'))
    await overlay.write('index.md', encode('a\r\nb\r\n'))

    const { commit: id } = await commit()

    expect(git(['cat-file', '-s', `${id}:index.md`])).toBe('6')
  })

  it('runs no filter that the attributes and the configuration name', async () => {
    const { overlay, commit, git, write, outside, writeTrap } = await setup(({ write: add }) =>
      add('.gitattributes', '*.md filter=pwn\n'),
    )
    git(['config', 'filter.pwn.clean', await writeTrap('clean')])
    await write('index.md', 'edited\n')
    git(['add', 'index.md'])
    const mark = join(outside, 'clean.fired')
    expect(existsSync(mark)).toBe(true)
    await rm(mark)
    await overlay.write('index.md', encode('edited by the overlay\n'))

    const { commit: id } = await commit()

    expect(git(['show', `${id}:index.md`])).toBe('edited by the overlay')
    expect(existsSync(mark)).toBe(false)
  })

  it('commits nothing for an overlay without a change, or over another commit', async () => {
    const { overlay, commit, gitDirectory, scratchFolder } = await setup()
    await expect(commit()).rejects.toThrow('has no changes')
    await overlay.write('index.md', encode('x'))

    const other = { gitDirectory, base: 'a'.repeat(40), overlay, author, message: 'x', scratchFolder }

    await expect(commitOverlay(other, live)).rejects.toThrow(/is based on/)
  })

  it('takes the parents that it is given', async () => {
    const { overlay, commit, git, base } = await setup()
    await overlay.write('index.md', encode('first'))
    const first = await commit()
    await overlay.write('index.md', encode('second'))

    const second = await commit({ parents: [first.commit] })

    expect(git(['rev-list', second.commit]).split('\n')).toEqual([second.commit, first.commit, base])
  })
})

describe('writeTree', () => {
  it('refuses bad paths before it writes anything', async () => {
    const { gitDirectory, base, scratchFolder } = await setup()

    for (const path of [
      '../evil',
      '/abs',
      'a/../b',
      '.git/config',
      '.GIT/x',
      'git~1/x',
      'x/./y',
      'a\\..\\b',
      '.g\u200Cit/x',
    ]) {
      const files = new Map([[path, { bytes: encode('x'), isExecutable: false }]])
      await expect(writeTree({ gitDirectory, base, files, scratchFolder }, live)).rejects.toMatchObject({
        code: 'invalid_request',
      })
    }
    expect(await readdir(scratchFolder)).toEqual([])
  })

  it('fails when git has written something else than was planned', async () => {
    const { gitDirectory, base, scratchFolder, git } = await setup()
    const same = new Map([['index.md', { blob: git(['rev-parse', `${base}:index.md`]), isExecutable: false }]])

    const writing = writeTree({ gitDirectory, base, files: same, scratchFolder }, live)

    await expect(writing).rejects.toThrow('index.md did not change')
  })
})

describe('writeOverlayTree', () => {
  it('gives the base itself where nothing has changed, else a tree that no branch names', async () => {
    const { overlay, gitDirectory, scratchFolder, base, git } = await setup()
    const unchanged = await writeOverlayTree({ gitDirectory, overlay, scratchFolder }, live)
    await overlay.write('index.md', encode('x'))

    const changed = await writeOverlayTree({ gitDirectory, overlay, scratchFolder }, live)

    expect(unchanged).toBe(base)
    expect(git(['cat-file', '-t', changed])).toBe('tree')
  })
})
