import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Redirect } from '../../content/links/redirect.ts'
import type { SitePage } from '../../content/site-page.ts'
import { makeTestInput, makeTestPage, outsider } from '../../../test/support/search-test-site.ts'
import { buildIndexFile } from '../index-file/build-index-file.ts'
import { IndexFile } from '../index-file/index-file.ts'
import { readIndexedPage } from './read-index-file.ts'
import type { Reader } from '../search-query.ts'
import { findAddress, listFollowedRedirects } from './find-address.ts'

const folder = mkdtempSync(join(tmpdir(), 'docent-addresses-'))
afterAll(() => rmSync(folder, { recursive: true }))
let built = 0

function open(pages: readonly SitePage[], redirects: Redirect[] = []): IndexFile {
  const file = join(folder, `${++built}.idx`)
  buildIndexFile(file, { ...makeTestInput(pages), redirects })
  return new IndexFile(file)
}

const staffOnly = { groups: ['staff'], isPublic: false }
const staff = { readerGroups: ['staff'], isSignedIn: true }

const pages = [
  makeTestPage('/', 'Kiosk', 'Welcome.'),
  makeTestPage('/guides/rate-limits', 'How many requests', 'Requests are limited by address.'),
  makeTestPage('/guides/start/install', 'Install', 'Unpack it.'),
  makeTestPage('/api/users/create', 'Create a user', 'Posts a user.'),
  makeTestPage('/api/keys/create', 'Create a key', 'Posts a key.'),
  makeTestPage('/guides/authentication', 'Sign in', 'With a password.'),
  makeTestPage('/03-more/20-printers', 'Printers', 'Paper and ink.'),
  makeTestPage('/secret/launch-plan', 'Launch plan', 'On Monday.', staffOnly),
]
const redirects = [
  { source: '/old/limits', destination: '/older/limits#per-day' },
  { source: '/older/limits', destination: '/guides/rate-limits#per-day' },
  { source: '/v0/:rest*', destination: '/guides/:rest*' },
  { source: '/blog/*', destination: 'https://blog.example.com/:splat' },
  { source: '/plan', destination: '/secret/launch-plan' },
  { source: '/loop', destination: '/pool' },
  { source: '/pool', destination: '/loop' },
  { source: '/*', destination: '/guides/rate-limits' },
]
const index = open(pages, redirects)
const find = (path: string, reader: Reader = outsider) => findAddress(index, path, reader)

describe('an address leads to a page for certain', () => {
  it.each([
    ['/Guides/Rate-Limits', '/guides/rate-limits'],
    ['/guides/rate_limits', '/guides/rate-limits'],
    ['/guides/rateLimits.html', '/guides/rate-limits'],
    ['/guides/rate%20limits/', '/guides/rate-limits'],
    ['/guides/rate+limits.md', '/guides/rate-limits'],
    ['/docs/en/latest/guides/rate-limits', '/guides/rate-limits'],
    ['/v9/guides/rate-limits', '/guides/rate-limits'],
    ['/rate-limits', '/guides/rate-limits'],
    ['/guides/install/index.html', '/guides/start/install'],
    ['/more/printers', '/03-more/20-printers'],
    ['/users/create', '/api/users/create'],
  ])('%s means %s', (path, page) => {
    expect(find(path)).toEqual({ kind: 'page', path: page, anchor: '' })
  })

  it.each(['/create', '/api/create', '/other/rate-limits', '/guides/api/rate-limits', '/in', '/'])(
    '%s does not',
    (path) => {
      expect(find(path).kind).toBe('unknown')
    },
  )
})

describe('the redirects of the documentation', () => {
  it('are followed to their end, also by those who only read a page', () => {
    expect(find('/old/limits')).toEqual({ kind: 'page', path: '/guides/rate-limits', anchor: '#per-day' })
    expect(find('/v0/start/install')).toEqual({ kind: 'page', path: '/guides/start/install', anchor: '' })
    expect(readIndexedPage(index, '/old/limits.md', outsider)?.path).toBe('/guides/rate-limits')
  })

  it('may lead to another site', () => {
    expect(find('/blog/2026/news')).toEqual({ kind: 'elsewhere', url: 'https://blog.example.com/2026/news' })
  })

  it('lead nowhere in a circle, or for every address', () => {
    expect(find('/loop').kind).toBe('unknown')
    expect(find('/zxqv').kind).toBe('unknown')
  })

  it('are listed without patterns and without those to pages that the reader may not see', () => {
    const listed = listFollowedRedirects(index, outsider).map(({ source }) => source)

    expect(listed).toEqual(['/old/limits', '/older/limits'])
  })
})

describe('otherwise the nearest pages are named', () => {
  it.each([
    ['/other/rate-limits', '/guides/rate-limits'],
    ['/guides/rate-limtis', '/guides/rate-limits'],
    ['/guides/rate-limit', '/guides/rate-limits'],
    ['/guides/how-many-requests', '/guides/rate-limits'],
    ['/guides/what-is-authentication', '/guides/authentication'],
    ['/guides/auth', '/guides/authentication'],
    ['/setup', '/guides/start/install'],
  ])('%s: first %s', (path, page) => {
    const found = find(path)
    expect(found.kind === 'unknown' && found.near[0]?.path).toBe(page)
  })

  it('and none for nonsense', () => {
    for (const path of ['/zxqv-wobble', '/%00', `/${'a'.repeat(5_000)}`])
      expect(find(path)).toEqual({ kind: 'unknown', near: [] })
  })
})

describe('a page that the reader may not see', () => {
  const without = open(
    pages.filter(({ isPublic }) => isPublic),
    redirects,
  )

  it.each(['/secret/launch-plan', '/launch-plan', '/Secret/Launch_Plan', '/secret/launch-plans', '/plan', '/monday'])(
    'is answered at %s as if it were not there',
    (path) => {
      expect(find(path)).toEqual(findAddress(without, path, outsider))
      expect(JSON.stringify(find(path))).not.toMatch(/launch/i)
    },
  )

  it('is found by those who may', () => {
    expect(find('/launch_plan', staff)).toMatchObject({ path: '/secret/launch-plan' })
    expect(find('/plan', staff)).toMatchObject({ path: '/secret/launch-plan' })
  })
})

it('suggests the page with a section of that name', () => {
  const sections = open([
    makeTestPage('/one', 'One', 'A.'),
    makeTestPage('/two', 'Two', 'A.\n\nB.\n\nC.'),
    makeTestPage('/three', 'Three', 'A.', staffOnly),
  ])

  const found = findAddress(sections, '/guides/part-2', outsider)
  const shared = findAddress(sections, '/guides/part-0', outsider)
  sections.close()

  expect(found).toMatchObject({ kind: 'unknown', near: [{ path: '/two' }] })
  expect(shared.kind === 'unknown' && shared.near.map(({ path }) => path)).toEqual(['/one', '/two'])
})
