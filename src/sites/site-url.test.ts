import { expect, it } from 'vitest'
import { makeLinksAbsolute, pageHref, pagesUrl } from './site-url.ts'

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

it('gives links in Markdown the same address as the page that they lead to', () => {
  const site = { url: 'https://example.com/manual' }
  const markdown = '[Start](/) [Top](/#top) [Find](/?q=a) [Set up](/setup?x=1#y) `[Code](/setup)`'

  const absolute = makeLinksAbsolute(site, markdown)

  expect(absolute).toBe(
    `[Start](${pageHref(site, '/', null)}) [Top](${pageHref(site, '/', 'top')}) [Find](https://example.com/manual?q=a) ` +
      '[Set up](https://example.com/manual/setup?x=1#y) `[Code](/setup)`',
  )
})
