import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSimilarLines, findText, lineOfOffset } from './find-text.ts'
import { replaceRanges } from './edit-file-tool.ts'

const replace = (text: string, wanted: string, by: string) => replaceRanges(text, findText(text, wanted), by)

describe('finding a text', () => {
  it('finds every occurrence, without overlaps', () => {
    expect(findText('aXaXa', 'aXa')).toEqual([{ start: 0, end: 3 }])
    expect(findText('one two one', 'one')).toEqual([
      { start: 0, end: 3 },
      { start: 8, end: 11 },
    ])
    expect(findText('text', '')).toEqual([])
  })

  it('ignores line endings and trailing spaces, and nothing else', () => {
    expect(replace('a  \r\nb\r\nc\r\n', 'a\nb', 'X')).toBe('X\r\nc\r\n')
    expect(replace('one\t\ntwo', 'one\ntwo', 'X')).toBe('X')
    expect(findText('one\n two', 'one\ntwo')).toEqual([])
    expect(findText('a b', 'a  b')).toEqual([])
    expect(findText('a\nb', ' \n ')).toEqual([])
  })

  it('prefers an exact occurrence to one that differs in whitespace', () => {
    expect(findText('a \nb|a\nb', 'a\nb')).toEqual([{ start: 5, end: 8 }])
  })

  it('replaces a unique text and leaves all around it as it was', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r\n', 'é', '🦉', '\t') })
    fc.assert(
      fc.property(part, part, part, (before, after, by) => {
        const text = `${before}«needle»${after}`
        expect(replace(text, '«needle»', by)).toBe(before + by + after)
      }),
    )
  })

  it('finds text copied with other line endings, anywhere', () => {
    const line = fc.stringMatching(/^[a-z ]{0,8}$/)
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (before, after) => {
        const text = [...before, 'first needle  ', 'second needle', ...after].join('\r\n')
        const [range, ...others] = findText(text, 'first needle\nsecond needle')
        expect(others).toEqual([])
        expect(text.slice(range?.start, range?.end)).toBe('first needle  \r\nsecond needle')
      }),
    )
  })
})

it('counts lines from one and suggests similar ones', () => {
  expect(lineOfOffset('a\nb\nc', 4)).toBe(3)
  expect(findSimilarLines('Run  NPM install now\nother', 'npm install\nnext', 5)).toEqual([1])
  expect(findSimilarLines('a', '  \n ', 5)).toEqual([])
})
