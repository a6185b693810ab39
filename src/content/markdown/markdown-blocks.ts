import { closesFence, readFenceMarker } from './code-fence.ts'

/** A run of lines that belongs together. Joining the texts of all blocks of a page with `\n` gives the page back, blank lines aside. */
export interface MarkdownBlock {
  kind: 'heading' | 'fence' | 'text'
  /** 1 to 6 for a heading, else 0. */
  depth: number
  text: string
}

const heading = /^(#{1,6})(?:[ \t]+|$)/

/**
 * Splits Markdown as `SitePage.markdown` holds it, with headings at the start of a line and code in fences, into headings, whole fences and
 * paragraphs. One pass over the lines; any text is accepted, and an unclosed fence runs to the end.
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

/** A heading beyond this is a paragraph by mistake; matching it would take long. */
const headingCharsMax = 1000

/** Reads a heading line: its words without markup, and the id that `{#id}` at its end gives it. */
export function readHeading(line: string): { text: string; id: string | null } {
  const [, bare = '', id] =
    /^#{1,6}[ \t]*(.*?)(?:[ \t]*\{#([^\s{}]{1,200})\})?(?:[ \t]+#+)?[ \t]*$/.exec(line.slice(0, headingCharsMax)) ?? []
  return { text: plainText(bare), id: id ?? null }
}

function plainText(inline: string): string {
  return inline
    .replace(/!?\[([^\]]*)\]\([^()\s]*(?:\s+"[^"]*")?\)/g, '$1')
    .replace(/(\*\*|__|~~)(?=\S)(.+?)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*]+)\*(?!\w)/g, '$1')
    .replace(/(?<!\w)_(?=\S)([^_]+)_(?!\w)/g, '$1')
    .replace(/`+/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim()
}
