import { expect, it } from 'vitest'
import { makeTestPage } from '../../../test/support/search-test-site.ts'
import { redirectMoves } from './redirect-moves.ts'

const pageOf = (path: string, file: string) =>
  makeTestPage(path, path, 'Text.', { file, source: { text: 'Text.', bodyLine: 0 } })

const find = (path: string, file: string, from: string, rest = {}) =>
  redirectMoves({ pages: [pageOf(path, file)], ...rest }, new Map([[from, file]]))

it.each([
  ['/guides/new', 'guides/new.md', 'old.mdx', '/old'],
  ['/guides/new', 'docs/guides/new.md', 'docs/old/index.md', '/old'],
  ['/guides', 'docs/guides/index.md', 'docs/old.md', '/old'],
  ['/', 'docs/index.md', 'docs/start.md', '/start'],
  ['/new', 'new.md', 'a b/old.md', '/a b/old'],
])('leads to %s of %s from the address of %s', (path, file, from, source) => {
  expect(find(path, file, from)).toEqual([{ source, destination: path }])
})

it('keeps the base path of the site', () => {
  expect(find('/base/new', 'docs/new.md', 'docs/old.md', { basePath: '/base' })).toEqual([
    { source: '/base/old', destination: '/base/new' },
  ])
})

it.each([
  ['whose address is not the path of its file', '/intro', 'docs/01-intro.md', 'docs/02-intro.md'],
  ['from outside the folder of the pages', '/new', 'docs/new.md', 'notes/old.md'],
  ['from a file that is no page', '/new', 'docs/new.md', 'docs/old.txt'],
  ['from what would be a pattern', '/new', 'docs/new.md', 'docs/:old.md'],
])('makes no redirect for a page %s', (_, path, file, from) => {
  expect(find(path, file, from)).toEqual([])
})

it('leaves addresses alone that a page or a redirect of the documentation has', () => {
  const pages = [pageOf('/new', 'new.md'), pageOf('/taken', 'other.md')]
  const moved = new Map([
    ['taken.md', 'new.md'],
    ['led.md', 'new.md'],
  ])

  expect(redirectMoves({ pages, redirects: [{ source: '/led', destination: '/taken' }] }, moved)).toEqual([])
})

it('makes none where a file is several pages', () => {
  const pages = [pageOf('/v1/new', 'new.md'), pageOf('/v2/new', 'new.md')]

  expect(redirectMoves({ pages }, new Map([['old.md', 'new.md']]))).toEqual([])
})
