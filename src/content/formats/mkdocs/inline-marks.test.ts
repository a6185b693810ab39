import { expect, it } from 'vitest'
import { writeInlineMarks } from './inline-marks.ts'

const all = new Set(
  'keys mark critic caret tilde smartsymbols inlinehilite progressbar'.split(' ').map((name) => `pymdownx.${name}`),
)

it.each(['{--', '{~~ ~>', '{==', '{++', '==a ', '++a+', '^^a', 'a^b', 'a~b', '`#!a b', '-- > ', '[=1% "', '{>>'])(
  'takes linear time for many %s',
  (piece) => {
    const started = process.cpuUsage().user

    writeInlineMarks(piece.repeat(100_000 / piece.length), all)

    expect(process.cpuUsage().user - started).toBeLessThan(1_500_000)
  },
)
