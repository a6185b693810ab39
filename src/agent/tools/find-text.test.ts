import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSimilarLines, findText, findLineOfOffset, isWholeWord } from './find-text.ts'
import { applyEdits } from './apply-edits.ts'
import { compilePattern } from './search-pattern.ts'

const replace = (text: string, find: string, by: string) =>
  applyEdits('a.md', text, [{ find, replace: by, all: true }]).text
const rangesOf = (text: string, wanted: string) => findText(text, wanted).ranges

describe('a whole word', () => {
  it.each([
    ['Vite VitePress Vitest Vites', 'Vite', [0, 22]],
    ['_Vite_ my_Vite Vite_x createVite **Vite**.', 'Vite', [1, 35]],
    ['ticket machines and ticket machine', 'ticket machine', [0, 20]],
    ['Node 18, Node 18.2, Node 181.', 'Node 18', [0]],
    ['1.18 or 18', '18', [8]],
    ['用户用户', '用户', [0, 2]],
    ['a/b/c', '/b/', [1]],
  ])('in %s is %s', (text, word, starts) => {
    const found = rangesOf(text, word).filter((range) => isWholeWord(text, range))

    expect(found.map(({ start }) => start)).toEqual(starts)
    const edit = { find: word, replace: '·', all: true, wholeWord: true }
    expect(applyEdits('a.md', text, [edit]).replaced).toBe(starts.length)
  })

  it('is missing where the text is a part of longer ones only', () => {
    const edit = { find: 'Vite', replace: 'X', all: true, wholeWord: true }
    expect(() => applyEdits('a.md', 'VitePress', [edit])).toThrow('only inside longer words')
  })
})

describe('finding a text', () => {
  it('finds every occurrence, without overlaps', () => {
    expect(rangesOf('aXaXa', 'aXa')).toEqual([{ start: 0, end: 3 }])
    expect(rangesOf('one two one', 'one')).toEqual([
      { start: 0, end: 3 },
      { start: 8, end: 11 },
    ])
    expect(rangesOf('text', '')).toEqual([])
  })

  it('ignores line endings and trailing spaces, however often the text occurs', () => {
    expect(replace('a  \r\nb\r\nc\r\n', 'a\nb', 'X')).toBe('X\r\nc\r\n')
    expect(replace('one\t\ntwo', 'one\ntwo', 'X')).toBe('X')
    expect(rangesOf('one \none \n', 'one\n')).toHaveLength(2)
    expect(rangesOf('a\nb', ' \n ')).toEqual([])
  })

  it.each([
    ['one\n two', 'one\ntwo'],
    ['a b', 'a  b'],
    ['It’s “here” – now', `It's "here" - now`],
    ['Press\u00A0Enter', 'Press Enter'],
  ])('finds %j by %j only where it is unique', (text, wanted) => {
    expect(replace(`<${text}>`, wanted, 'X')).toBe('<X>')
    expect(rangesOf(`${text}\n\n${text}`, wanted)).toEqual([])
  })

  it('prefers an exact occurrence to one that differs in whitespace', () => {
    expect(rangesOf('a \nb|a\nb', 'a\nb')).toEqual([{ start: 5, end: 8 }])
  })

  it('replaces a unique text and leaves all around it as it was', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r\n', 'é', '🦉', '\t') })
    fc.assert(
      fc.property(part, part, part, (before, after, written) => {
        const by = written.replaceAll('\r\n', '\n')
        const text = `${before}«needle»${after}`
        const { text: edited } = applyEdits('a.md', text, [{ find: '«needle»', replace: by }])
        expect(edited.replaceAll('\r\n', '\n')).toBe((before + by + after).replaceAll('\r\n', '\n'))
      }),
    )
  })

  it('finds text copied with other line endings, anywhere', () => {
    const line = fc.stringMatching(/^[a-z ]{0,8}$/)
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (before, after) => {
        const text = [...before, 'first needle  ', 'second needle', ...after].join('\r\n')
        const [range, ...others] = rangesOf(text, 'first needle\nsecond needle')
        expect(others).toEqual([])
        expect(text.slice(range?.start, range?.end)).toBe('first needle  \r\nsecond needle')
      }),
    )
  })
})

it('counts lines from one and suggests similar ones', () => {
  expect(findLineOfOffset('a\nb\nc', 4)).toBe(3)
  expect(findSimilarLines('Run NPM install now\nother', 'npm install\nnext', 5)).toEqual([
    'line 1: "Run NPM install now"',
  ])
  expect(findSimilarLines('a', '  \n ', 5)).toEqual([])
})

describe('a call with many places to look at does not hold up the process', () => {
  const measure = (work: () => unknown) => {
    const { user } = process.cpuUsage()
    work()
    return (process.cpuUsage().user - user) / 1_000
  }

  it('when it edits the nearest of them', () => {
    const text = 'a b\n'.repeat(16_000)
    expect(measure(() => applyEdits('p', text, [{ find: 'a', replace: 'c', near: 9_000 }]))).toBeLessThan(1_000)
    expect(applyEdits('p', text, [{ find: 'a', replace: 'c', near: 9_000 }]).text.split('\n')[8_999]).toBe('c b')
  })

  it('when a thousand edits differ from it in spaces', () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `line ${index} of the text, with some words  \n`).join('')
    const edits = Array.from({ length: 900 }, (_, index) => ({
      find: `line ${index} of the text, with some words\n`,
      replace: 'x\n',
    }))
    expect(measure(() => applyEdits('p', text, edits))).toBeLessThan(700)
  })

  it('when a pattern looks through all of the text for each match', () => {
    const pattern = compilePattern('(?s)a.*b|a', { isLiteral: false, ignoreCase: false })
    const work = () => pattern.replaceAll('a'.repeat(64_000), 'c', false)
    expect(measure(() => expect(work).toThrow(/takes too long/))).toBeLessThan(5_000)
  })
})
