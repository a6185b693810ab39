import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { siteFormats } from './site-formats.ts'

const root = join(import.meta.dirname, '../../..')
const names = siteFormats.map(({ name }) => name)

it('lists every format folder, except Markdown, which is the fallback', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const records = folders.flatMap(({ name }) => readdirSync(join(import.meta.dirname, name)))

  expect(records.filter((file) => file.endsWith('-format.ts'))).toHaveLength(folders.length)
  expect(names).toHaveLength(folders.length - 1)
  expect(new Set(names).size).toBe(names.length)
})

it('documents every format that owners can specify', () => {
  const guide = readFileSync(join(root, 'docs/guides/sites.mdx'), 'utf8')

  const labels = siteFormats.filter(({ name }) => name !== 'crawl').map(({ label }) => label)
  expect(labels.filter((label) => !guide.includes(`\n| ${label} |`))).toEqual([])
})
