import { closesFence, readFenceMarker } from './code-fence.ts'
import { decodeEntities } from './strip-tags.ts'

/** A run of lines. Joining the text of all blocks of a page with `\n` restores the page, except blank lines. */
export interface MarkdownBlock {
  kind: 'heading' | 'fence' | 'text'
  /** 1 to 6 for a heading, else 0. */
  depth: number
  text: string
}

const heading = /^(#{1,6})(?:[ \t]+|$)/

/**
 * Splits flattened Markdown (see `SitePage.markdown`) into headings, fenced blocks and paragraphs. Single pass; accepts
 * any text, and an unclosed fence runs to the end.
 */
export function splitBlocks(markdown: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  let lines: string[] = []
  let fence: string | null = null
  const flush = (kind: MarkdownBlock['kind']) => {
    if (lines.length > 0) blocks.push({ kind, depth: 0, text: lines.join('\n') })
    lines = []
  }
  for (const line of markdown.split('\n')) {
    if (fence !== null) {
      lines.push(line)
      if (!closesFence(line, fence)) continue
      flush('fence')
      fence = null
      continue
    }
    const depth = heading.exec(line)?.[1]?.length
    const marker = readFenceMarker(line)
    if (depth !== undefined) {
      flush('text')
      blocks.push({ kind: 'heading', depth, text: line })
    } else if (marker !== null) {
      flush('text')
      lines.push(line)
      fence = marker
    } else if (line.trim() === '') flush('text')
    else lines.push(line)
  }
  flush(fence === null ? 'text' : 'fence')
  return blocks
}

/** Longer headings are mistaken paragraphs, and slow to match. */
const headingCharsMax = 1000

/** Quote and list marks before a heading. */
const headingPlace = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?=#{1,6}(?:[ \t]|$))/

/** Whether a line of flattened Markdown outside fences is a heading, also in a quote or list. */
export function isHeading(line: string): boolean {
  return line.includes('#') && headingPlace.test(line)
}

/** Parses a heading line into its text without markup and the id from a trailing `{#id}`. */
export function readHeading(line: string): { text: string; id: string | null } {
  const [, bare = '', id] =
    /^#{1,6}[ \t]*(.*?)(?:[ \t]*\{#([^\s{}]{1,200})\})?(?:[ \t]+#+)?[ \t]*$/.exec(
      line.slice(0, headingCharsMax).replace(headingPlace, ''),
    ) ?? []
  return { text: readInline(bare), id: id ?? null }
}

/** Inline Markdown as it is rendered: without its marks, targets of links, escapes and entities. */
export function readInline(inline: string): string {
  return decodeEntities(inline)
    .replace(/!?\[([^\]]*)\]\([^()\s]*(?:\s+"[^"]*")?\)/g, '$1')
    .replace(/(\*\*|__|~~)(?=\S)(.+?)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*]+)\*(?!\w)/g, '$1')
    .replace(/(?<!\w)_(?=\S)([^_]+)_(?!\w)/g, '$1')
    .replace(/`+/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim()
}
