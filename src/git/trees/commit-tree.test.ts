import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished, describe, expect, it } from 'vitest'
import { createGitRepository } from '../../../test/support/git-repository.ts'
import { openCommitTree, type CommitTree, type CommitTreeLocation } from './commit-tree.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

const live = new AbortController().signal

async function setup() {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  const open = async (location: Partial<CommitTreeLocation> = {}, signal = live): Promise<CommitTree> => {
    const tree = await openCommitTree(
      { repository: repository.folder, ref: null, subdirectory: '', ...location },
      signal,
    )
    onTestFinished(() => tree.close())
    return tree
  }
  return { ...repository, open }
}

async function readText(tree: CommitTree, path: string): Promise<string> {
  return new TextDecoder().decode(await tree.read(path))
}

describe('openCommitTree', () => {
  it('lists the files of the current branch, sorted, and reads each', async () => {
    const { write, commit, open } = await setup()
    await write('b.md', '# B\n')
    await write('a/c.md', '')
    await write('A.md', 'no line feed at the end')
    const commitId = commit()

    const tree = await open()

    expect(tree.revision).toBe(commitId)
    expect(tree.paths).toEqual(['A.md', 'a/c.md', 'b.md'])
    expect(await readText(tree, 'b.md')).toBe('# B\n')
    expect(await readText(tree, 'a/c.md')).toBe('')
    expect(await readText(tree, 'A.md')).toBe('no line feed at the end')
  })

  it('reads the commit, not the working tree', async () => {
    const { write, commit, open } = await setup()
    await write('page.md', 'committed')
    commit()
    await write('page.md', 'edited')
    await write('new.md', 'not committed')

    const tree = await open()

    expect(tree.paths).toEqual(['page.md'])
    expect(await readText(tree, 'page.md')).toBe('committed')
  })

  it('stays at its commit when the branch moves on', async () => {
    const { write, commit, open } = await setup()
    await write('page.md', 'first')
    const first = commit()
    const tree = await open()
    await write('page.md', 'second')
    commit()

    const text = await readText(tree, 'page.md')

    expect([tree.revision, text]).toEqual([first, 'first'])
  })

  it('reads a bare repository and a linked working tree alike', async () => {
    const { write, commit, git, outside, open } = await setup()
    await write('page.md', 'text')
    const commitId = commit()
    git(['clone', '--quiet', '--bare', '.', join(outside, 'bare.git')])
    git(['worktree', 'add', '--quiet', '--detach', join(outside, 'linked')])

    const trees = [
      await open({ repository: join(outside, 'bare.git') }),
      await open({ repository: join(outside, 'linked') }),
    ]

    for (const tree of trees) {
      expect([tree.revision, tree.paths, await readText(tree, 'page.md')]).toEqual([commitId, ['page.md'], 'text'])
    }
  })

  it.each(['docs', 'docs/', '/docs', './docs'])(
    'reads only the subdirectory %s, with paths relative to it',
    async (subdirectory) => {
      const { write, commit, open } = await setup()
      await write('docs/a/page.md', 'text')
      await write('private.md', 'private')
      commit()

      const tree = await open({ subdirectory })

      expect(tree.paths).toEqual(['a/page.md'])
      await expect(tree.read('../private.md')).rejects.toThrow('There is no file')
    },
  )

  it.each([
    ['../other', 'is not a folder below'],
    ['docs/../..', 'is not a folder below'],
    ['missing', 'has no folder "missing"'],
    ['page.md', 'is a file'],
  ])('refuses the subdirectory %s with a sentence', async (subdirectory, sentence) => {
    const { write, commit, open } = await setup()
    await write('docs/page.md', 'text')
    await write('page.md', 'text')
    commit()

    const opening = open({ subdirectory })

    await expect(opening).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining(sentence) })
  })

  it('reads names with spaces, line feeds, quotes and letters of any script', async () => {
    const names = [
      'with space.md',
      'line\nfeed.md',
      '"quoted".md',
      'tab\there.md',
      'ünïcode/日本.md',
      '-dash.md',
      ':(top)magic.md',
      'back\\slash.md',
    ]
    const { write, commit, open } = await setup()
    for (const name of names) await write(name, name)
    commit()

    const tree = await open()

    expect(tree.paths).toEqual(names.toSorted())
    for (const name of names) expect(await readText(tree, name)).toBe(name)
  })

  it('reads bytes that are no text unchanged, and many at once in the right order', async () => {
    const { write, commit, open } = await setup()
    const contents = Array.from({ length: 64 }, (_, index) => Buffer.alloc(index * 4099, `\0\n\xff${index}`, 'latin1'))
    for (const [index, content] of contents.entries()) await write(`${index}.bin`, content)
    commit()
    const tree = await open()

    const read = await Promise.all(contents.map((_, index) => tree.read(`${index}.bin`)))

    expect(read.every((bytes, index) => contents[index]?.equals(bytes))).toBe(true)
  })

  it('refuses a file over the limit and goes on with the next', async () => {
    const { write, commit, open } = await setup()
    await write('large.bin', Buffer.alloc(32 * 1024 * 1024 + 1))
    await write('small.md', 'small')
    commit()
    const tree = await open()

    const reads = await Promise.allSettled([tree.read('large.bin'), readText(tree, 'small.md')])

    expect(reads).toMatchObject([{ reason: { message: expect.stringContaining('at most') } }, { value: 'small' }])
  })

  it('says which object is missing and goes on with the next', async () => {
    const { write, commit, git, folder, open } = await setup()
    await write('lost.md', 'lost')
    await write('kept.md', 'kept')
    commit()
    const id = git(['rev-parse', 'HEAD:lost.md'])
    await rm(join(folder, '.git/objects', id.slice(0, 2), id.slice(2)))
    const tree = await open()

    const reads = await Promise.allSettled([tree.read('lost.md'), readText(tree, 'kept.md')])

    expect(reads).toMatchObject([
      { reason: { message: expect.stringContaining(`lacks the object ${id}`) } },
      { value: 'kept' },
    ])
  })

  it('refuses reads after close and settles those under way', async () => {
    const { write, commit, open } = await setup()
    await write('page.md', 'text')
    commit()
    const tree = await open()
    const underWay = tree.read('page.md')

    tree.close()
    tree.close()

    await expect(underWay).rejects.toThrow('The commit was closed')
    await expect(tree.read('page.md')).rejects.toThrow('The commit was closed')
  })

  it('closes when its signal is aborted', async () => {
    const { write, commit, open } = await setup()
    await write('page.md', 'text')
    commit()
    const controller = new AbortController()
    const tree = await open({}, controller.signal)
    const underWay = tree.read('page.md')

    controller.abort(new Error('The run was cancelled.'))

    await expect(underWay).rejects.toThrow('The run was cancelled.')
    await expect(tree.read('page.md')).rejects.toThrow('The run was cancelled.')
  })

  it.each([
    ['a folder that is no repository', '.', 'is not a git repository'],
    ['a folder inside a repository', 'repository/docs', 'is not a git repository'],
    ['a folder that is not there', 'missing', 'is not a git repository'],
  ])('refuses %s', async (_case, path, sentence) => {
    const { write, commit, outside, open } = await setup()
    await write('docs/page.md', 'text')
    commit()

    const opening = open({ repository: join(outside, path) })

    await expect(opening).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining(sentence) })
  })

  it('refuses a relative path, which would depend on where the service was started', async () => {
    const { open } = await setup()

    await expect(open({ repository: 'repository' })).rejects.toThrow('is not an absolute path')
  })

  it('reads a thousand files in under a second', { retry: 2 }, async () => {
    const { write, commit, open } = await setup()
    for (let index = 0; index < 1000; index += 1) await write(`pages/${index}.md`, `# Page ${index}\n`.repeat(400))
    commit()
    const started = threadCpuMs()

    const tree = await open()
    for (const path of tree.paths) await tree.read(path)

    expect(tree.paths).toHaveLength(1000)
    expect(threadCpuMs() - started).toBeLessThan(1000)
  })
})

describe('links in a commit', () => {
  it('stand for the file that they lead to, also over other links', async () => {
    const { write, link, commit, open } = await setup()
    await write('guides/start.md', 'start')
    await link('README.md', 'guides/start.md')
    await link('guides/again.md', '../README.md')
    commit()

    const tree = await open()

    expect(tree.paths).toEqual(['README.md', 'guides/again.md', 'guides/start.md'])
    expect([await readText(tree, 'README.md'), await readText(tree, 'guides/again.md')]).toEqual(['start', 'start'])
  })

  it('are left out and named when they leave the tree, lead to a folder, to nothing or in a circle', async () => {
    const { write, link, commit, outside, open } = await setup()
    await write('docs/page.md', 'text')
    await write('private.md', 'private')
    await link('docs/absolute.md', join(outside, 'secret.md'))
    await link('docs/up.md', '../../secret.md')
    await link('docs/beside.md', '../private.md')
    await link('docs/folder', '.')
    await link('docs/nothing.md', 'missing.md')
    await link('docs/circle-a.md', 'circle-b.md')
    await link('docs/circle-b.md', 'circle-a.md')
    commit()

    const tree = await open({ subdirectory: 'docs' })

    expect(tree.paths).toEqual(['page.md'])
    expect(tree.skipped.map(({ path }) => path).toSorted()).toEqual([
      'absolute.md',
      'beside.md',
      'circle-a.md',
      'circle-b.md',
      'folder',
      'nothing.md',
      'up.md',
    ])
  })
})
