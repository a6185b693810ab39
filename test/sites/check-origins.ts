import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BlockOrigin } from '../../src/search/search-query.ts'

/** A block of a page, and where it is said to stand. */
export interface LocatedBlock {
  text: string
  file: string
  origin: BlockOrigin
}

/**
 * What is wrong with the place of a block: null if its lines have that hash, and the words of the block in order. As
 * plain as can be, and by no code of the product.
 */
export function findFault(folder: string, { text, file, origin }: LocatedBlock): string | null {
  if (origin.lines === null) return origin.sha256 === null ? null : `${file}: a hash without lines`
  const [first, last] = origin.lines
  const place = `${file}:${first}-${last}`
  const lines = readLines(join(folder, file))
  if (first < 1 || last < first || last > lines.length) return `${place}: no such lines`
  const stored = lines.slice(first - 1, last).join('')
  if (createHash('sha256').update(stored).digest('hex') !== origin.sha256) return `${place}: another hash`
  const missing = findMissing(text, stored)
  return missing === null ? null : `${place}: has no ${missing} in its place\n${text}\n---\n${stored}`
}

const linesByPath = new Map<string, string[]>()

function readLines(path: string): string[] {
  const lines = linesByPath.get(path) ?? readFileSync(path, 'utf8').split(/(?<=\n)/)
  linesByPath.set(path, lines)
  return lines
}

/** The first word that is not in the lines in this order, targets of links and numbers of lists and ids of headings aside. */
function findMissing(text: string, lines: string): string | null {
  const bare = text.replace(/\]\([^)]*\)|\\?<[^>]*>|^[ \t>]*([-*+] )*\d+[.)]|\{#[^}]*\}$/gm, ' ')
  const held: readonly string[] = listWords(lines)
  let place = 0
  for (const word of listWords(bare)) {
    place = held.indexOf(word, place) + 1
    if (place === 0) return word
  }
  return null
}

const listWords = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []
