import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { holdsQuote } from '../../src/git/verify-receipt.mjs'
import type { BlockOrigin } from '../../src/search/search-query.ts'

/** A block of a page, and where it is said to stand. */
export interface LocatedBlock {
  text: string
  file: string
  origin: BlockOrigin
}

/**
 * What is wrong with the place of a block: null if its lines have that hash and, for the program that checks receipts,
 * hold the block but for fences and ids of headings, which are not quoted. By no code that looked for the lines.
 */
export function findFault(folder: string, { text, file, origin }: LocatedBlock): string | null {
  if (origin.lines === null) return origin.sha256 === null ? null : `${file}: a hash without lines`
  const [first, last] = origin.lines
  const place = `${file}:${first}-${last}`
  const lines = readLines(join(folder, file))
  if (first < 1 || last < first || last > lines.length) return `${place}: no such lines`
  const stored = lines.slice(first - 1, last).join('')
  if (createHash('sha256').update(stored).digest('hex') !== origin.sha256) return `${place}: another hash`
  const quote = text.replace(/^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?:```|~~~).*$|[ \t]*\{#[^}]*\}$/gm, '')
  // Parts of a long table repeat its head.
  const isHeld = holdsQuote(stored, quote) || quote.split('\n').every((line) => isHeldLine(stored, line))
  return isHeld ? null : `${place}: not in its lines\n${text}\n---\n${stored}`
}

const isHeldLine = (stored: string, line: string) => !/[\p{L}\p{N}]/u.test(line) || holdsQuote(stored, line)

const linesByPath = new Map<string, string[]>()

function readLines(path: string): string[] {
  const lines = linesByPath.get(path) ?? readFileSync(path, 'utf8').split(/(?<=\n)/)
  linesByPath.set(path, lines)
  return lines
}
