import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts'
import { AppError } from '../../contract/app-error.ts'
import type { SiteSource } from '../../store/sites/sites.ts'
import { checkForgelessSource, findLocalKind } from './check-forgeless-source.ts'

let repository: GitRepository
let commit: string
beforeAll(async () => {
  repository = await createGitRepository()
  await repository.write('docs/docs.json', '{}')
  await repository.write('docs/index.mdx', '# Docs')
  commit = repository.commit()
  await mkdir(join(repository.outside, 'empty'))
  await mkdir(join(repository.outside, 'data', 'repositories'), { recursive: true })
})
afterAll(() => repository.remove())

const check = (source: Partial<SiteSource>, credential: { username: string; token: string } | null = null) => {
  const deps = {
    repositoryFolder: join(repository.outside, 'data', 'repositories'),
    allowsPrivateAddresses: false,
    findTip: async ({ location }: { location: string }) => {
      if (location.includes('private')) throw new AppError('invalid_request', 'The repository asks for a credential.')
      return { revision: 'a'.repeat(40) }
    },
  }
  const given: SiteSource = { kind: 'git', location: repository.folder, ref: null, subdirectory: '', ...source }
  return checkForgelessSource(deps, { source: given, credential, reader: 'test' }, AbortSignal.timeout(60_000))
}

it('finds the commit and the documentation of a repository on this machine', async () => {
  const { canRead, canPropose, steps } = await check({ subdirectory: 'docs' })

  expect({ canRead, canPropose }).toEqual({ canRead: true, canPropose: false })
  expect(steps.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'repository passed',
    'branch passed',
    'documentation passed',
  ])
  expect(steps[1]?.message).toBe(`Its current branch is at ${commit.slice(0, 12)}.`)
  expect(steps[2]?.message).toBe('There is a docs.json site in docs, with 1 Markdown file.')
})

it('checks the files of a folder, and warns if none is a page', async () => {
  const full = await check({ kind: 'folder', subdirectory: 'docs' })
  const empty = await check({ kind: 'folder', location: join(repository.outside, 'empty') })

  expect(full.steps.at(-1)?.state).toBe('passed')
  expect(empty).toMatchObject({ canRead: true, steps: [{ name: 'repository' }, { state: 'warning' }] })
})

it.each([
  ['a branch that is not there', { ref: 'nowhere' }],
  ['a folder that is not there', { kind: 'folder', subdirectory: 'nowhere' }],
  ['a path that is none from the root on', { kind: 'folder', location: 'docs' }],
  ['an address that git may not read', { location: 'https://example.com/private.git' }],
] as const)('says in a failed step what is wrong with %s', async (_, source) => {
  const { canRead, steps } = await check(source)

  expect(canRead).toBe(false)
  expect(steps).toMatchObject([
    { name: 'repository', state: 'failed', message: expect.stringMatching(/\.$/) as string },
  ])
})

it("reveals nothing of the service's data folder", async () => {
  const { canRead, steps } = await check({ kind: 'folder', location: join(repository.outside, 'data') })

  expect(canRead).toBe(false)
  expect(steps).toMatchObject([
    { state: 'failed', message: expect.stringContaining("this service's own data") as string },
  ])
})

it('asks a remote repository for its branch, and a published site for nothing', async () => {
  const remote = await check({ location: 'https://example.com/docs.git', ref: 'next' })
  const crawl = await check({ kind: 'crawl', location: 'https://docs.example.com/guide' })

  expect(remote.steps[0]?.message).toBe('next is at aaaaaaaaaaaa.')
  expect(crawl).toMatchObject({ canRead: true, steps: [{ name: 'host', state: 'passed' }, { state: 'skipped' }] })
  expect(
    (await check({ kind: 'crawl', location: 'https://docs.example.com' }, { username: 'x', token: 't' })).canRead,
  ).toBe(false)
})

it('distinguishes a repository from a folder, and ignores URLs', async () => {
  expect(await findLocalKind(repository.folder)).toBe('git')
  expect(await findLocalKind(join(repository.folder, '.git'))).toBe('git')
  expect(await findLocalKind(join(repository.folder, 'docs'))).toBe('folder')
  expect(await findLocalKind('https://example.com/docs')).toBeUndefined()
})

it.each(['http://127.1/docs', 'http://[::ffff:7f00:1]/', 'https://docs.localhost/', 'https://docs.example.com:8080/'])(
  'says that the published site %s cannot be crawled',
  async (location) => {
    const { canRead, steps } = await check({ kind: 'crawl', location })

    expect(canRead).toBe(false)
    expect(steps).toMatchObject([
      { name: 'host', state: 'failed', message: expect.stringContaining('DOCENT_ALLOW_PRIVATE_ADDRESSES') as string },
    ])
  },
)
