import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parsePatch, type PatchLine } from './parse-patch.ts'

const markedWords = ({ text, marks }: PatchLine) => marks?.map((mark) => text.slice(...mark))

it('numbers the lines of both sides', () => {
  const [hunk] = parsePatch(
    '@@ -3,3 +3,4 @@ ## Install\n one\n-two\n+two!\n+more\n three\n\\ No newline at end of file\n',
  )

  expect(hunk?.place).toBe('## Install')
  expect(hunk?.lines.map(({ kind, before, after, text }) => [kind, before, after, text])).toEqual([
    ['context', 3, 3, 'one'],
    ['removed', 4, null, 'two'],
    ['added', null, 4, 'two!'],
    ['added', null, 5, 'more'],
    ['context', 5, 6, 'three'],
    ['note', null, null, 'No newline at end of file'],
  ])
})

it('marks what differs between a line and the one in its place', () => {
  const [hunk] = parsePatch('@@ -1 +1 @@\n-Run npm install now, please.\n+Run pnpm install, please.\n')

  expect(hunk?.lines.map(markedWords)).toEqual([['npm', ' now'], ['pnpm']])
})

it('marks the changed words of a paragraph that is wrapped anew', () => {
  const [hunk] = parsePatch('@@ -1,2 +1 @@\n-The port is 80\n-by default.\n+The port is 4000 by default.\n')

  expect(hunk?.lines.map(markedWords)).toEqual([['80'], [], ['4000 ']])
})

it('marks nothing in lines that have nothing in common', () => {
  const [hunk] = parsePatch('@@ -1 +1 @@\n-Alpha\n+Something else\n')

  expect(hunk?.lines.map(({ marks }) => marks)).toEqual([null, null])
})

it('reads lines that look like the head of a file as lines', () => {
  const [hunk] = parsePatch('@@ -1,2 +1,2 @@\n--- a/etc\n+++ b/etc\n')

  expect(hunk?.lines.map(({ kind, text }) => [kind, text])).toEqual([
    ['removed', '-- a/etc'],
    ['added', '++ b/etc'],
  ])
})

it('reads a hunk whose place holds other ends of lines than a line feed', () => {
  const hunks = parsePatch('@@ -1 +1 @@ a\rb\u2028c\n-One\n+Two\n')

  expect(hunks.map(({ place, lines }) => [place, lines.map(({ text }) => text)])).toEqual([
    ['a\rb\u2028c', ['One', 'Two']],
  ])
})

it('takes any text, and marks whole characters within their line', () => {
  const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ''))
  fc.assert(
    fc.property(line, line, (a, b) => {
      const lines = parsePatch(`@@ -1 +1 @@\n-${a}\n+${b}\n`).flatMap((hunk) => hunk.lines)

      for (const { text, marks } of lines) {
        for (const [from, to] of marks ?? []) {
          expect(from < to && to <= text.length).toBe(true)
          expect(text.slice(from, to).isWellFormed() || !text.isWellFormed()).toBe(true)
        }
      }
    }),
  )
})
