import { expect, it } from 'vitest'
import { pageHref, pagesUrl } from './site-url.ts'

const open = (url: string | null, basePath: string | undefined, path: string) =>
  pageHref({ url: pagesUrl({ slug: 'docs', baseUrl: url }, 'https://docent.example', basePath) }, path, null)

it.each([
  ['the origin', 'https://example.com', '/manual', '/manual/setup', 'https://example.com/manual/setup'],
  ['its base path', 'https://example.com/manual', '/manual', '/manual/setup', 'https://example.com/manual/setup'],
  ['a slash at the end', 'https://example.com/manual/', '/manual', '/manual/setup', 'https://example.com/manual/setup'],
  ['a part of the path', 'https://example.com/docs', '/docs/v2', '/docs/v2/a', 'https://example.com/docs/v2/a'],
  ['a proxy before it', 'https://example.com/x/docs', '/docs', '/docs/a', 'https://example.com/x/docs/a'],
  ['a name that only begins alike', 'https://example.com/doc', '/docs', '/docs/a', 'https://example.com/doc/docs/a'],
  ['no base path', 'https://example.com/docs', undefined, '/docs/a', 'https://example.com/docs/docs/a'],
  ['the root as base path', 'https://example.com/docs', '/', '/a', 'https://example.com/docs/a'],
  ['the pages of Docent', null, '/docs', '/docs/a', 'https://docent.example/sites/docs/docs/a'],
])('leads to the right page with %s', (_, url, basePath, path, expected) => {
  expect(open(url, basePath, path)).toBe(expected)
})

it('leads to the start page without adding a slash', () => {
  expect(open('https://example.com/manual', '/manual', '/manual')).toBe('https://example.com/manual')
  expect(open('https://example.com', undefined, '/')).toBe('https://example.com')
})
