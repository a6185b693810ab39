import { splitBlocks } from '../markdown/markdown-blocks.ts'
import type { SitePage } from '../site-page.ts'
import { locateBlocks } from './locate-blocks.ts'

/** A line of the source of a page. */
export interface TextPlace {
  file: string
  /** From 1; the first line if the text is not found. */
  line: number
  path: string
}

/** Finds the lines of a page's blocks; one page is located once. */
export function createTextLocator(): (page: SitePage, block: number, words: readonly string[]) => TextPlace {
  const known = new Map<SitePage, ReturnType<typeof locateBlocks>>()
  return (page, block, words) => {
    const { file, path, source } = page
    if (source === undefined) return { file, path, line: 1 }
    const lines = source.text.split('\n')
    const texts = () => splitBlocks(page.markdown).map(({ text }) => text)
    const ranges = known.get(page) ?? locateBlocks(texts(), { lines, bodyLine: source.bodyLine })
    known.set(page, ranges)
    const [first, last] = ranges[block] ?? [1, lines.length]
    return { file, path, line: first + Math.max(0, findWords(lines.slice(first - 1, last), words)) }
  }
}

/** A property of a component has its name and its other words on lines of their own. */
const linesApartMax = 6

/** The first line with all words, else one with the first word before the others, else -1. */
function findWords(lines: readonly string[], [word = '', ...others]: readonly string[]): number {
  const together = lines.findIndex((line) => [word, ...others].every((each) => line.includes(each)))
  if (together >= 0) return together
  const isNear = (index: number) => {
    const near = lines.slice(index, index + linesApartMax).join('\n')
    return others.every((other) => near.includes(other))
  }
  return lines.findIndex((line, index) => line.includes(word) && isNear(index))
}
