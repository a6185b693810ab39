import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestSite } from '../../test/support/crawl-test-server.ts'
import { readSource, type SourceOptions, suggestSlug } from './site-source.ts'

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

it('takes an address for a repository where it answers as one or must be one, and else for a site to crawl', async () => {
  const asked: string[] = []
  const ask = (answer: boolean) => async (address: string) => {
    asked.push(address)
    return answer
  }
  const kindOf = async (address: string, options: SourceOptions, answer: boolean) =>
    (await readSource(address, options, ask(answer))).kind

  expect(await kindOf('https://host/a/b', {}, true)).toBe('git')
  expect(await kindOf('https://docs.example.com', {}, false)).toBe('crawl')
  expect(asked).toEqual(['https://host/a/b', 'https://docs.example.com'])
  expect(await kindOf('https://host/a/b', { crawl: true }, true)).toBe('crawl')
  for (const options of [{ ref: 'main' }, { subdirectory: 'docs' }, { tokenFile: './token' }])
    expect(await kindOf('https://host/a/b', options, false)).toBe('git')
  expect(await kindOf('https://host/a/b.git', {}, false)).toBe('git')
  expect(asked).toHaveLength(2)
})

it('asks an address as a git client does', async () => {
  await using site = await startTestSite({
    '/repo/info/refs?service=git-upload-pack': (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' }).end(),
    '/private/info/refs?service=git-upload-pack': (_request, response) => response.writeHead(401).end(),
    '/spa/info/refs?service=git-upload-pack': '<title>Not found</title>',
  })
  const kinds = await Promise.all(
    ['repo', 'private', 'spa', 'docs/'].map(async (path) => (await readSource(`${site.url}/${path}`, {})).kind),
  )

  expect(kinds).toEqual(['git', 'git', 'crawl', 'crawl'])
})

it('names a crawled site after its host', () => {
  expect(suggestSlug('https://www.example.com/docs/', 'crawl')).toBe('example-com-docs')
})

it('makes a slug of the last name', () => {
  expect(['https://host/acme/My_Docs.git', '/srv/Übersicht/', '/', 'docs'].map((name) => suggestSlug(name))).toEqual([
    'my-docs',
    'bersicht',
    '',
    'docs',
  ])
})
