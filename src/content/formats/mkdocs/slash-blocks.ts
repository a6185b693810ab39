import { createFenceTracker } from '../../markdown/code-fence.ts'
import { writeAdmonitionLabel } from './admonition-label.ts'

const opening = /^([ \t]*)(\/{3,})[ \t]+([A-Za-z][\w-]{0,50})[ \t]*(?:\|[ \t]*(.{0,500}?))?[ \t]*$/
const closing = /^[ \t]*(\/{3,})[ \t]*$/
const option = /^[ \t]*([\w-]{1,50})[ \t]*:[ \t]*(.{0,500}?)[ \t]*$/
/** Blocks that only group their content or decorate it. */
const silent = new Set(['html', 'definition', 'caption', 'figure-caption', 'table-caption'])

/** Unclosed blocks further out are forgotten, because each is compared with every closing line. */
const openMax = 50

interface OpenBlock {
  index: number
  slashes: number
  indent: string
  kind: string
  title: string | undefined
}

/**
 * Finds the blocks of `pymdownx.blocks`: `/// note | Title` to `///`, with more slashes around others. Unclosed ones are
 * text. Linear time.
 *
 * @returns What replaces each line of their syntax: the label, or nothing.
 */
export function findSlashBlocks(lines: readonly string[]): Map<number, string> {
  const replaced = new Map<number, string>()
  const isCode = createFenceTracker()
  let open: OpenBlock[] = []
  for (const [index, line] of lines.entries()) {
    if (isCode(line) || !line.includes('///')) continue
    const slashes = closing.exec(line)?.[1]?.length
    const [match, indent = '', marks = '', kind = '', title] = opening.exec(line) ?? []
    if (match !== undefined) open = [...open.slice(1 - openMax), { index, slashes: marks.length, indent, kind, title }]
    const at = open.findLastIndex((block) => block.slashes === slashes)
    const block = open[at]
    if (block === undefined) continue
    open = open.slice(0, at)
    replaceSyntax(lines, block, replaced)
    replaced.set(index, '')
  }
  return replaced
}

function replaceSyntax(lines: readonly string[], block: OpenBlock, replaced: Map<number, string>): void {
  const options = new Map<string, string>()
  let index = block.index + 1
  for (; isIndented(lines[index], block.indent); index++) {
    const [match, name = '', value = ''] = option.exec(lines[index] ?? '') ?? []
    if (match === undefined) break
    options.set(name, value)
    replaced.set(index, '')
  }
  const label = labelOf(block, options.get('type'))
  replaced.set(block.index, label === '' ? '' : `${block.indent}${label}`)
}

/** Options are indented more than the block, directly below its first line. */
function isIndented(line: string | undefined, indent: string): boolean {
  return line !== undefined && line.startsWith(`${indent}    `) && line.trim() !== ''
}

function labelOf({ kind, title }: OpenBlock, type: string | undefined): string {
  if (silent.has(kind)) return ''
  if (kind === 'tab') return title === undefined ? '' : `**${title}**`
  if (kind === 'details' && type === undefined) return `**${title ?? 'Details'}**`
  return writeAdmonitionLabel(type ?? kind, title)
}
