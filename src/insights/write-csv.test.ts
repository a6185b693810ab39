import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeCsvRow } from './write-csv.ts'

/** A reader of one row by RFC 4180. */
function readRow(row: string): string[] {
  const cells: string[] = []
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n$)/gy
  for (let match = pattern.exec(row); match !== null; match = pattern.exec(row)) {
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] !== ',') break
  }
  return cells
}

describe('a row of CSV', () => {
  it('quotes special characters, and leaves numbers and empty cells alone', () => {
    expect(writeCsvRow(['a', 'b,c', 'say "x"', 'two\nlines', -1.5, null])).toBe(
      'a,"b,c","say ""x""","two\nlines",-1.5,\r\n',
    )
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\ufeff=1', '＝1', '=HYPERLINK("http://x","y")'])(
    'makes the formula %j a text',
    (formula) => {
      expect(readRow(writeCsvRow([formula]))).toEqual([`'${formula}`])
    },
  )

  it('round-trips, with an apostrophe before formulas only', () => {
    const isFormula = /^[\s\u00a0\ufeff]*[=+\-@\t\r＝＋－＠]/u
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (cells) => {
        expect(readRow(writeCsvRow(cells))).toEqual(cells.map((cell) => (isFormula.test(cell) ? `'${cell}` : cell)))
      }),
    )
  })
})
