import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readSuggestion, splitSuggestion, writeSuggestion } from './pull-request-review.ts'

it('reads the first suggestion of a comment, and what is said around it', () => {
  const body = 'Rather:\r\n\r\n```suggestion\r\nOne\r\n\r\nTwo\r\n```\r\n\r\n```suggestion\nThree\n```'

  expect(splitSuggestion(body)?.lines).toEqual(['One', '', 'Two'])
  expect(splitSuggestion(body)?.rest).toBe('Rather:\n\n\n```suggestion\nThree\n```')
  expect(readSuggestion('```suggestion\n```')).toEqual([])
})

it.each(['No fence', '```ts\nOne\n```', '```suggestion\nNever closed', '    ```suggestion\nOne\n```'])(
  'reads none from %j',
  (body) => {
    expect(readSuggestion(body)).toBeNull()
  },
)

it('reads what it has written, whatever fences the lines hold', () => {
  const line = fc.string({ unit: fc.constantFrom('`', '~', 'a', ' ') })
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
      expect(readSuggestion(writeSuggestion(lines.join('\n')))).toEqual(lines)
    }),
  )
})
