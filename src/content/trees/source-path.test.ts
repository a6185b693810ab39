import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pagePathOf, resolveLink, resolveSourcePath, titleOfPath } from './source-path.ts'

describe('resolveSourcePath', () => {
  it.each([
    ['./b.mdx', 'guides/b.mdx'],
    ['b.mdx', 'guides/b.mdx'],
    ['../b.mdx', 'b.mdx'],
    ['/x/y.mdx', 'x/y.mdx'],
    ['a/./../b', 'guides/b'],
  ])('resolves %s from the folder of the file', (reference, expected) => {
    expect(resolveSourcePath('guides/a.mdx', reference)).toBe(expected)
  })

  it.each(['../../etc/passwd', '/../x', '..\\..\\x', 'a\0b', '../guides/../../x'])(
    'refuses %j, which leaves the root',
    (reference) => {
      expect(resolveSourcePath('guides/a.mdx', reference)).toBeNull()
    },
  )

  it('never returns a path that leaves the root', () => {
    const parts = fc.array(fc.constantFrom('..', '.', '', 'a', '/', '\\', 'b.mdx', '%2e%2e', '…'), { maxLength: 12 })

    fc.assert(
      fc.property(parts, parts, (from, to) => {
        const resolved = resolveSourcePath(from.join('/'), to.join('/'))

        expect(resolved === null || !resolved.split('/').includes('..')).toBe(true)
        expect(resolved?.startsWith('/') ?? false).toBe(false)
      }),
    )
  })
})

describe('pagePathOf', () => {
  it.each([
    ['guides/install.mdx', '/guides/install'],
    ['guides/install', '/guides/install'],
    ['/guides/install/', '/guides/install'],
    ['guides/index.md', '/guides'],
    ['index', '/'],
    ['guides/README.md', '/guides'],
    ['migration/readme', '/migration/readme'],
    ['v1.2/notes', '/v1.2/notes'],
  ])('makes %s the page %s', (file, expected) => {
    expect(pagePathOf(file)).toBe(expected)
  })
})

describe('titleOfPath', () => {
  it.each([
    ['guides/getting-started.md', 'Getting started'],
    ['api_keys.mdx', 'Api keys'],
    ['guides/index.mdx', 'Guides'],
  ])('makes %s the title %s', (file, expected) => {
    expect(titleOfPath(file)).toBe(expected)
  })
})

describe('resolveLink', () => {
  const from = { file: 'guides/start.mdx', path: '/guides/start' }

  it.each([
    ['./install.mdx#x', '/guides/install#x'],
    ['install', '/guides/install'],
    ['../api/index.md', '/api'],
    ['/guides/install/', '/guides/install'],
    ['#top', '/guides/start#top'],
    ['?tab=1', '/guides/start?tab=1'],
    ['https://example.com/a?b#c', 'https://example.com/a?b#c'],
    ['mailto:a@example.com', 'mailto:a@example.com'],
    ['//cdn.example.com/x', 'https://cdn.example.com/x'],
  ])('makes %s into %s', (url, expected) => {
    expect(resolveLink(url, from)).toBe(expected)
  })

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '../../../x',
  ])('drops %j', (url) => {
    expect(resolveLink(url, from)).toBeNull()
  })
})
