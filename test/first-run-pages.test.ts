import { readFileSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { apiVersion } from '../src/server/openapi.ts'

// What people read before and during their first start.

const root = resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')))

it.each(['README.md', 'CONTRIBUTING.md', 'docs/quickstart.mdx', 'docs/guides/install.mdx'])(
  '%s begins with a clone',
  (file) => {
    expect(read(file)).toMatch(/^git clone \S+ docent && cd docent$/m)
  },
)

it('every page names the same Node to begin with', () => {
  const named = ['README.md', 'CONTRIBUTING.md', 'docs/quickstart.mdx', 'docs/index.mdx'].map(
    (file) => /Node (\d+) or newer/.exec(read(file))?.[1],
  )

  expect(new Set(named)).toEqual(new Set(['18']))
})

it.each([
  'docs/quickstart.mdx',
  'docs/troubleshooting.mdx',
  'docs/guides/install.mdx',
  'docs/guides/replicas.mdx',
  'docs/guides/run-in-production.mdx',
  'README.md',
])('%s names the commands for those who missed the keys and the link', (file) => {
  expect(read(file)).toMatch(/docent (?:-- )?owner-link/)
  expect(read(file)).toMatch(/docent (?:-- )?key create/)
})

it('keys stand in one variable each, on every page', async () => {
  const names = new Set<string>()
  for await (const file of glob('{README.md,docs/**/*.mdx}', { cwd: root })) {
    const text = await readFile(join(root, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/(?:Bearer |--key ")\$(\w+)/g)) names.add(name)
  }

  expect([...names].sort()).toEqual(['ADMIN_KEY', 'ASSISTANT_KEY'])
})

it('the version is said once, and nothing claims to be published', async () => {
  expect(apiVersion).toBe(version)
  expect(read('CHANGELOG.md')).toContain(`\`package.json\` names ${version}`)
  for await (const file of glob('{README.md,docs/**/*.mdx}', { cwd: root })) {
    const text = await readFile(join(root, file), 'utf8')
    expect([file, text.match(/docker pull|npm install (?:--global )?docent\b|docent-\d+\.\d+\.\d+\.tgz/g)]).toEqual([
      file,
      null,
    ])
  }
})
