import { expect, it, onTestFinished } from 'vitest'
import type { FileTree } from '../src/content/trees/file-tree.ts'
import { openCommitTree } from '../src/git/trees/commit-tree.ts'
import { createGitRepository } from './support/git-repository.ts'

// The two rooms do not know each other; that the one's trees are what the other reads is held here, by the compiler too.
it('a commit is a file tree as the content room reads it', async () => {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  await repository.write('docs/index.mdx', '# Start\n')
  const revision = repository.commit()
  const commitTree = await openCommitTree(
    { repository: repository.folder, ref: 'main', subdirectory: 'docs' },
    new AbortController().signal,
  )
  onTestFinished(() => commitTree.close())

  const tree: FileTree = commitTree

  expect({ revision: tree.revision, paths: tree.paths }).toEqual({ revision, paths: ['index.mdx'] })
  expect(new TextDecoder().decode(await tree.read('index.mdx'))).toBe('# Start\n')
})
