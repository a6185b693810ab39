import { expect, it } from 'vitest'
import { createMemoryTree } from '../../content/trees/memory-tree.ts'
import { findIcon } from './find-icon.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

async function find(files: Record<string, string>, folder = ''): Promise<string | null> {
  return (await findIcon(createMemoryTree(new Map(Object.entries(files))), folder))?.path ?? null
}

it.each([
  ['docs.json', '{ "favicon": "/logo/mark.svg" }', 'logo/mark.svg'],
  ['docs.json', '{ "favicon": { "light": "/logo/mark.svg" } }', 'favicon.ico'],
  ['mkdocs.yml', 'theme:\n  name: material\n  favicon: img/mark.png\n', 'docs/img/mark.png'],
  ['docusaurus.config.js', `export default { favicon: 'img/mark.ico' }`, 'static/img/mark.ico'],
  [
    '.vitepress/config.ts',
    `head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/mark.svg' }]]`,
    'public/mark.svg',
  ],
])('is the one that %s names', async (config, text, icon) => {
  const others = { 'favicon.ico': 'i', 'shot.png': 's' }

  expect(await find({ [config]: text, [icon]: 'bytes', ...others })).toBe(icon)
})

it('is named as usual in a folder of published files, and none of an example', async () => {
  expect(await find({ 'public/favicon.ico': 'i', 'public/favicon.svg': 's' })).toBe('public/favicon.svg')
  expect(await find({ 'examples/shop/public/favicon.ico': 'i', 'images/shot.png': 's' })).toBeNull()
  expect(await find({ 'website/static/favicon.png': 'p', 'favicon.svg': 'of the repository' }, 'website')).toBe(
    'website/static/favicon.png',
  )
})

it('is found fast in a configuration that names thousands', async () => {
  const startedAt = threadCpuMs()

  const config = `${`{ rel: 'icon' `.repeat(15_000)}${"favicon: 'x.png' ".repeat(2_000)}`
  expect(await find({ 'astro.config.mjs': config, 'favicon.svg': 's' })).toBe('favicon.svg')

  expect(threadCpuMs() - startedAt).toBeLessThan(500)
})

it('is an image of at most 64 KB that is there', async () => {
  const config = { 'docs.json': '{ "favicon": "/secret.txt" }', 'secret.txt': 's' }
  expect(await find(config)).toBeNull()
  expect(await find({ 'favicon.svg': 'x'.repeat(65_537), 'favicon.png': 'p' })).toBe('favicon.png')
  expect(await find({ 'favicon.svg': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n' })).toBeNull()
})
