/** A link in a page: the position of its destination, and its target. */
export interface PageLink {
  start: number
  end: number
  /** As written, without anchor and query. */
  destination: string
  /** Anchor and query, including `#` and `?`; empty if there are none. */
  suffix: string
  /** The text and the full range of a Markdown link; null for other links. */
  whole: { start: number; end: number; text: string } | null
}

const markdownLink =
  /!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\(\s*<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/g
const definition = /^ {0,3}\[[^\]]+\]:[ \t]*<?([^\s<>]+)>?/gm
const attribute = /\b(?:href|src|to)=\{?["'`]([^"'`\n]*)["'`]\}?/g
const importFrom = /^(?:import|export)\b[^\n;]*?\bfrom\s+["']([^"'\n]+)["']/gm

/** The links of a page in order, without those in code blocks. */
export function findPageLinks(text: string): PageLink[] {
  const code = findCodeBlocks(text)
  const links: PageLink[] = []
  const add = (match: RegExpMatchArray, destination: string, whole: PageLink['whole']) => {
    const start = match.index ?? 0
    const at = start + match[0].lastIndexOf(destination)
    if (destination === '' || code.some((block) => start >= block.start && start < block.end)) return
    const split = /[?#]/.exec(destination)?.index ?? destination.length
    links.push({
      start: at,
      end: at + destination.length,
      destination: destination.slice(0, split),
      suffix: destination.slice(split),
      whole,
    })
  }
  for (const match of text.matchAll(markdownLink)) {
    const start = match.index
    const isImage = match[0].startsWith('!')
    add(match, match[2] ?? '', isImage ? null : { start, end: start + match[0].length, text: match[1] ?? '' })
  }
  for (const pattern of [definition, attribute, importFrom]) {
    for (const match of text.matchAll(pattern)) add(match, match[1] ?? '', null)
  }
  return links.sort((a, b) => a.start - b.start).filter((link, index, all) => link.start >= (all[index - 1]?.end ?? 0))
}

/** Ranges of fenced code blocks. */
function findCodeBlocks(text: string): { start: number; end: number }[] {
  const blocks: { start: number; end: number }[] = []
  let open: { start: number; fence: string } | null = null
  let offset = 0
  for (const line of text.split('\n')) {
    const fence = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined && open === null) open = { start: offset, fence }
    else if (fence !== undefined && open !== null && fence.startsWith(open.fence)) {
      blocks.push({ start: open.start, end: offset + line.length })
      open = null
    }
    offset += line.length + 1
  }
  if (open !== null) blocks.push({ start: open.start, end: text.length })
  return blocks
}
