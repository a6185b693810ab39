import { expect, it } from 'vitest'
import { isTwoslash, removeTwoslash } from './remove-twoslash.ts'

it('removes cut code, flags and queries, and keeps what readers see', () => {
  const code = `// @noErrors
// @filename: a.ts
import { hidden } from 'x'
// ---cut---
// @errors: 2339
// @log: Logged words
const a = hidden()
//    ^?

// @ts-expect-error
a.b
// ---cut-start---
secret()
// ---cut-end---
c()
// ---cut-after---
d()`

  expect(removeTwoslash(code)).toBe('// Logged words\nconst a = hidden()\n\n// @ts-expect-error\na.b\nc()')
  expect(removeTwoslash('// @filename: a.ts\na()')).toBe('// a.ts\na()')
})

it('applies to fences marked twoslash, and to code with cuts', () => {
  expect(isTwoslash('twoslash title="a"', '')).toBe(true)
  expect(isTwoslash('', 'a\n// ---cut---\nb')).toBe(true)
  expect(isTwoslash('title="twoslash-x"', '// @noErrors')).toBe(false)
})
