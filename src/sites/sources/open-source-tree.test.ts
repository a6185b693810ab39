import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts'
import { readSite } from '../../content/read-site.ts'
import { openSourceTree } from './open-source-tree.ts'

let repository: GitRepository
beforeAll(async () => {
  repository = await createGitRepository()
  const preset = `['classic', { docs: { path: '../docs' }, blog: false }]`
  await repository.write('website/docusaurus.config.js', `module.exports = { presets: [${preset}] }`)
  await repository.write('website/src/pages/about.md', '[intro](/docs/intro)')
  await repository.write('docs/intro.md', '# Intro\n\n[gone](gone.md)')
  await repository.write('plain/index.md', '# Plain')
  repository.commit()
})
afterAll(() => repository.remove())

async function read(kind: 'git' | 'folder', subdirectory: string) {
  const source = { kind, location: repository.folder, ref: null, subdirectory }
  const { tree, folder, close } = await openSourceTree(source, AbortSignal.timeout(60_000))
  try {
    return { tree, site: await readSite(tree, { folder }) }
  } finally {
    await close()
  }
}

it.each(['git', 'folder'] as const)('reads pages around the folder of a site in a %s', async (kind) => {
  const { site } = await read(kind, '/website/')

  expect(site.pages.map(({ path, file }) => [path, file])).toEqual([
    ['/docs/intro', '../docs/intro.md'],
    ['/about', 'src/pages/about.md'],
  ])
  expect(site.findings).toMatchObject([{ file: '../docs/intro.md', line: 3, rule: 'link-dead' }])
})

it.each(['git', 'folder'] as const)(
  'opens only the folder of a site whose format stays in it, in a %s',
  async (kind) => {
    const { tree, site } = await read(kind, 'plain')

    expect(tree.paths).toEqual(['index.md'])
    expect(site.pages.map(({ file }) => file)).toEqual(['index.md'])
  },
)
