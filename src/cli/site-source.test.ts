import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readSource, suggestSlug } from './site-source.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-source-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('tells folders, working trees, bare repositories and addresses apart', async () => {
  await mkdir(join(folder, 'tree/.git'), { recursive: true })
  await mkdir(join(folder, 'plain'))
  for (const name of ['HEAD', 'objects', 'refs']) await mkdir(join(folder, 'bare.git', name), { recursive: true })

  const kinds = await Promise.all(
    ['tree', 'plain', 'bare.git'].map(async (name) => (await readSource(join(folder, name), {})).kind),
  )

  expect(kinds).toEqual(['git', 'folder', 'git'])
  expect(await readSource(join(folder, 'tree'), { asFolder: true })).toMatchObject({ kind: 'folder' })
  expect(await readSource('https://host/a/b', { ref: 'main' })).toEqual({
    kind: 'git',
    location: 'https://host/a/b',
    ref: 'main',
  })
  await expect(readSource(join(folder, 'plain'), { ref: 'main' })).rejects.toThrow('--ref')
})

it('makes a slug of the last name', () => {
  expect(['https://host/acme/My_Docs.git', '/srv/Übersicht/', '/', 'docs'].map(suggestSlug)).toEqual([
    'my-docs',
    'bersicht',
    '',
    'docs',
  ])
})
