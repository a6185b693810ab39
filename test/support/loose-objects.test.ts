import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createBareRepository } from '../../src/git/repositories/bare-repository.ts'
import { createGitRepository } from './git-repository.ts'
import {
  findInCommit,
  hasObject,
  readBranch,
  readCommitObject,
  readObject,
  writeBranch,
  writeCommitObject,
  writeFirstCommit,
  writeTreeObject,
} from './loose-objects.ts'

const author = { name: 'A. Writer', email: 'writer@example.com', at: 1_732_000_000_000 }

async function setup() {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  const gitDirectory = join(repository.outside, 'bare.git')
  await createBareRepository(gitDirectory)
  const inBare = (...args: string[]) => repository.git(['--git-dir', gitDirectory, ...args])
  return { ...repository, gitDirectory, inBare }
}

it('writes commits that git finds nothing wrong with and reads alike', async () => {
  const { gitDirectory, inBare } = await setup()
  const files = new Map([
    ['a.md', Buffer.from('A\n')],
    ['a/b.md', Buffer.from('B\n')],
    ['a-b/ä 1.bin', Buffer.from([0, 255])],
  ])
  const first = writeFirstCommit(gitDirectory, { files, author })
  const change = new Map([
    ['a/b.md', null],
    ['a.md', Buffer.from('Changed\n')],
  ])
  const tree = writeTreeObject(gitDirectory, first, change)
  const second = writeCommitObject(gitDirectory, { tree, parents: [first], author, message: 'Second\n\nWhy.' })
  writeBranch(gitDirectory, 'topic/one', second)

  expect(inBare('fsck', '--strict', '--no-dangling')).toBe('')
  expect(
    inBare('rev-list', 'topic/one', '--topo-order', '--format=%s %an %at', '--no-commit-header').split('\n'),
  ).toEqual(['Second A. Writer 1732000000', 'First A. Writer 1732000000'])
  expect(inBare('diff-tree', '-r', '--name-status', first, second)).toBe('M\ta.md\nD\ta/b.md')
  expect(inBare('-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', first).split('\n')).toEqual([
    'a-b/ä 1.bin',
    'a.md',
    'a/b.md',
  ])
  expect([readBranch(gitDirectory, 'topic/one'), readBranch(gitDirectory, 'gone')]).toEqual([second, null])
})

it('reads what git has written and packed', async () => {
  const { write, commit, git, folder } = await setup()
  const gitDirectory = join(folder, '.git')
  await write('docs/page.md', 'Page\n')
  const id = commit('A title\n\nA body')
  git(['gc', '--quiet'])

  const page = findInCommit(gitDirectory, id, 'docs/page.md')

  expect(page).toBe(git(['rev-parse', 'HEAD:docs/page.md']))
  expect(readObject(gitDirectory, page ?? '').body.toString()).toBe('Page\n')
  const tree = git(['rev-parse', 'HEAD^{tree}'])
  expect(readCommitObject(gitDirectory, id)).toEqual({ tree, parents: [], message: 'A title\n\nA body' })
  expect(findInCommit(gitDirectory, id, 'docs/none.md')).toBeNull()
  expect([hasObject(gitDirectory, id), hasObject(gitDirectory, '1'.repeat(40))]).toEqual([true, false])
})
