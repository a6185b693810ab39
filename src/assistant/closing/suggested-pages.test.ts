import { expect, it } from 'vitest'
import { chooseSuggestions, type FoundPage, withoutSuggestions, writeSuggestions } from './suggested-pages.ts'

const siteUrl = 'https://docs.example.com/sites/docs'
const write = (found: readonly FoundPage[], shown: readonly string[] = []) =>
  writeSuggestions(chooseSuggestions(found, new Set(shown), siteUrl))

const page = (path: string, title: string, score = 0.5) => ({ path, title, score })

it('lists at most three pages, best first, without those already shown or much worse than the best', () => {
  const found = [
    page('/a', 'A', 0.9),
    page('/b', 'B', 0.8),
    page('/c', 'C', 0.2),
    page('/d', 'D'),
    page('/e', 'E', 0.6),
  ]
  const more = [page('/f', 'F', 0.6), page('/g', 'G', 0.6)]

  expect(write([...found, ...more], ['/a'])).toBe('\n\n```suggestions\n(B)[/b]\n(E)[/e]\n(F)[/f]\n```\n')
  expect(write(found, ['/a', '/b', '/e'])).toBe('')
  expect(write([])).toBe('')
  expect(chooseSuggestions([page('/a b', 'A')], new Set(), siteUrl)).toEqual([
    { title: 'A', path: '/a b', url: `${siteUrl}/a%20b` },
  ])
})

it.each([
  ['/a', 'x)[ https://evil.example](', '(x)[/a]'],
  ['/a', 'See https://evil.example now', '(See now)[/a]'],
  ['/a', 'One\n```\n(Two)[https://evil.example]', '(One)[/a]'],
  ['/a', 'mail me@evil.example', '(mail)[/a]'],
  ['/a b/(c)]', 'T', '(T)[/a%20b/%28c%29%5D]'],
])('lets neither a path nor a title lead anywhere else: %j %j', (path, title, line) => {
  expect(write([page(path, title)])).toBe(`\n\n\`\`\`suggestions\n${line}\n\`\`\`\n`)
})

it('leaves out a page whose title has no word of its own', () => {
  expect(write([page('/a', ' []() ')])).toBe('')
})

it('removes the block from a text, and nothing else', () => {
  const answer = 'One.\n\n```bash\nls\n```'

  expect(withoutSuggestions(answer + write([page('/b', 'B')]))).toBe(answer)
  expect(withoutSuggestions(answer)).toBe(answer)
})
