import type { ChatBlock } from './write-chat-text.ts'

const fence = '```'
/** Two fences and their line breaks. */
const fenceChars = 2 * (fence.length + 1)

/**
 * Packs blocks into sections, splitting between blocks where possible, else between lines, words, characters.
 *
 * @param charsMax Longest section in UTF-16 code units, at least 100.
 */
export function packBlocks(blocks: readonly ChatBlock[], charsMax: number): string[] {
  const sections: string[] = []
  for (const { text, isTight } of blocks.flatMap((block) => splitBlock(block, charsMax))) {
    const last = sections.at(-1)
    const joined = last === undefined ? text : `${last}${isTight ? '\n' : '\n\n'}${text}`
    if (last !== undefined && joined.length <= charsMax) sections[sections.length - 1] = joined
    else if (text.trim() !== '') sections.push(text)
  }
  return sections
}

interface Piece {
  text: string
  isTight: boolean
}

function splitBlock({ text, code, isTight }: ChatBlock, charsMax: number): Piece[] {
  if (code === null)
    return splitText(text, charsMax).map((piece, index) => ({ text: piece, isTight: index > 0 || isTight }))
  const lines = splitText(code.join('\n'), charsMax - fenceChars)
  return lines.map((piece) => ({ text: `${fence}\n${piece}\n${fence}`, isTight }))
}

function splitText(text: string, charsMax: number): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > charsMax) {
    const end = findEnd(rest, charsMax)
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end).replace(/^[ \n]/, '')
  }
  return [...pieces, rest]
}

function findEnd(text: string, charsMax: number): number {
  const line = text.lastIndexOf('\n', charsMax)
  if (line > charsMax / 2) return line
  const word = text.lastIndexOf(' ', charsMax)
  if (word > 0) return Math.max(word, line)
  return line > 0 ? line : findCharacterEnd(text, charsMax)
}

/** Neither in a surrogate pair nor in an escape such as `&lt;` or `\*`. */
function findCharacterEnd(text: string, charsMax: number): number {
  const entity = text.lastIndexOf('&', charsMax - 1)
  let end = entity > charsMax - 5 ? entity : charsMax
  while (end > 1 && (text[end - 1] === '\\' || /[\ud800-\udbff]/.test(text[end - 1] ?? ''))) end--
  return end
}
