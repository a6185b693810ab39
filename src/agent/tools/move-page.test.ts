import { expect, it, onTestFinished } from 'vitest'
import { createGitRepository } from '../../../test/support/git-repository.ts'
import { openCommitTree } from '../../git/trees/commit-tree.ts'
import { Overlay } from '../../git/overlay/overlay.ts'
import { deleteWithLinks, moveWithLinks } from './move-page.ts'

const live = new AbortController().signal

/** Files of a repository under an overlay, whose search finds every page. */
async function setup(files: Record<string, string | Uint8Array>) {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  await repository.write('LICENSE', 'Free.\n')
  repository.commit()
  const tree = await openCommitTree({ repository: repository.folder, ref: null, subdirectory: '' }, live)
  onTestFinished(() => tree.close())
  const overlay = new Overlay(tree)
  for (const [path, content] of Object.entries(files))
    await overlay.write(path, typeof content === 'string' ? new TextEncoder().encode(content) : content)
  const matches = overlay.paths().map((path) => ({ path, line: 1, text: '' }))
  const deps = { overlay, navigationFile: 'docs.json', grep: async () => ({ matches, isWhole: true }) }
  const read = async (path: string) => new TextDecoder().decode(await overlay.read(path))
  return { deps, overlay, read }
}

const navigation = '{ "navigation": { "pages": ["index", "guides/install"] } }\n'

it('reports the files that a move changed: those that link to the page, the navigation, and the page itself', async () => {
  const { deps, read } = await setup({
    'docs.json': navigation,
    'index.md': 'See [how to install](guides/install.md).\n',
    'guides/install.md': 'Back to [the start](../index.md).\n',
    'guides/other.md': 'Nothing.\n',
  })

  const changed = await moveWithLinks(deps, { from: 'guides/install.md', to: 'install.md' }, live)

  expect(changed).toEqual(['index.md', 'docs.json', 'install.md'])
  expect(await read('index.md')).toBe('See [how to install](install.md).\n')
  expect(await read('install.md')).toBe('Back to [the start](./index.md).\n')
})

it('moves binary files unchanged, and reports no other changes', async () => {
  const image = new Uint8Array([137, 80, 78, 71, 0, 255])
  const { deps, overlay } = await setup({ 'docs.json': navigation, 'images/a.png': image })

  const changed = await moveWithLinks(deps, { from: 'images/a.png', to: 'images/b.png' }, live)

  expect(changed).toEqual([])
  expect(await overlay.read('images/b.png')).toEqual(image)
})

it('keeps the words of links to a page that is deleted', async () => {
  const { deps, overlay, read } = await setup({
    'docs.json': navigation,
    'index.md': 'See [how to install](guides/install.md).\n',
    'guides/install.md': 'Install.\n',
  })

  const changed = await deleteWithLinks(deps, 'guides/install.md', live)

  expect(changed).toEqual(['index.md', 'docs.json'])
  expect(await read('index.md')).toBe('See how to install.\n')
  expect(overlay.has('guides/install.md')).toBe(false)
})
