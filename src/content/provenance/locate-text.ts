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
    const own = lines.slice(first - 1, last)
    const index = Math.max(
      own.findIndex((line) => words.every((word) => line.includes(word))),
      0,
    )
    return { file, path, line: index === 0 && !ranges[block] ? findLine(lines, words) : first + index }
  }
}

function findLine(lines: readonly string[], words: readonly string[]): number {
  const index = lines.findIndex((line) => words.every((word) => line.includes(word)))
  return index < 0 ? 1 : index + 1
}
