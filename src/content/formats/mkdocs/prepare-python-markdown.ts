import { replaceEmojiCodes, replaceIconCodes } from '../../flatten/icon-symbol.ts'
import { createFenceTracker } from '../../markdown/code-fence.ts'
import { replaceOutsideSpans } from '../../markdown/code-spans.ts'
import { writeAdmonitionLabel } from './admonition-label.ts'
import { writeInlineMarks } from './inline-marks.ts'
import { findSlashBlocks } from './slash-blocks.ts'

const admonition =
  /^([ \t]*)(?:!!!|\?\?\?\+?)[ \t]+([A-Za-z][\w-]*(?:[ \t]+[A-Za-z][\w-]*)*)?[ \t]*(?:"([^"\n]{0,500})")?[ \t]*$/
const tab = /^([ \t]*)===[+!]?[ \t]+"([^"\n]{1,500})"[ \t]*$/
const apiObject = /^([ \t]*):::[ \t]+([\w.:-]{1,300})[ \t]*$/
const sectionMark = /-8<-+[ \t]*\[[ \t]*(?:start|end)\b[^\]\n]{0,200}\]/
/** Matches code, to skip it, or an attribute list after an element that can have one. */
const inlineAttributes = /(?<=[*_)\]`])\{:?[ \t]*(?:[#.][\w-]|[\w-]{1,50}=)[^{}\n]{0,300}\}/g
const headingId = /^(#{1,6}[ \t].*?)[ \t]*\{:?[ \t]*([^{}\n]{1,300})\}[ \t]*$/
const depthMax = 20

/**
 * Converts MkDocs extensions to plain Markdown: admonitions (`!!! note "Title"`), collapsible blocks, content tabs,
 * blocks between slashes (`/// note | Title`), heading ids,
 * attribute lists, inline marks and names of documented code (`::: package.name`). Dedents the contents of blocks, which
 * would be code otherwise. Pure.
 */
export function preparePythonMarkdown(body: string, extensions: ReadonlySet<string>): string {
  return prepareLines(body.split('\n'), 0, extensions).join('\n')
}

function prepareLines(lines: readonly string[], depth: number, extensions: ReadonlySet<string>): string[] {
  const isCode = createFenceTracker()
  const slashBlocks = findSlashBlocks(lines)
  const prepared: string[] = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    // Section markers for includes occur in code as well.
    if (sectionMark.test(line)) continue
    const isInCode = isCode(line)
    const slashLabel = slashBlocks.get(index)
    if (slashLabel !== undefined) {
      prepared.push('', slashLabel, '')
      continue
    }
    const block = isInCode || depth > depthMax ? null : readBlock(line)
    if (block === null) {
      prepared.push(isInCode ? line : prepareLine(writeInlineMarks(line, extensions)))
      continue
    }
    const end = findEnd(lines, index + 1, block.indent.length + 4)
    const inner = block.isOptions === true ? [] : lines.slice(index + 1, end).map((text) => dedent(text, 4))
    prepared.push('', `${block.indent}${block.label}`, '', ...prepareLines(inner, depth + 1, extensions), '')
    index = end - 1
  }
  return prepared
}

interface Block {
  indent: string
  label: string
  /** Whether the indented lines are plugin options rather than text. */
  isOptions?: true
}

function readBlock(line: string): Block | null {
  const [isObject, objectIndent = '', object = ''] = apiObject.exec(line) ?? []
  if (isObject !== undefined) return { indent: objectIndent, label: `\`${object}\``, isOptions: true }
  const [isTab, tabIndent = '', name = ''] = tab.exec(line) ?? []
  if (isTab !== undefined) return { indent: tabIndent, label: `**${name}**` }
  const [match, indent = '', kinds = '', title] = admonition.exec(line) ?? []
  if (match === undefined || (kinds === '' && title === undefined)) return null
  return { indent, label: writeAdmonitionLabel(kinds.split(/\s/)[0] ?? '', title) }
}

/** Returns the end of a block: the first non-blank line that is indented less. */
function findEnd(lines: readonly string[], start: number, indent: number): number {
  let end = start
  for (let index = start; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (line.trim() === '') continue
    if (widthOf(line) < indent) break
    end = index + 1
  }
  return end
}

function widthOf(line: string): number {
  const blanks = /^[ \t]*/.exec(line)?.[0] ?? ''
  return blanks.replaceAll('\t', '    ').length
}

function dedent(line: string, width: number): string {
  const expanded = line.replace(/^[ \t]+/, (blanks) => blanks.replaceAll('\t', '    '))
  return expanded.startsWith(' '.repeat(width)) ? expanded.slice(width) : expanded.trimStart()
}

function prepareLine(written: string): string {
  const line = replaceEmojiCodes(replaceIconCodes(written))
  // Abbreviations are shown where they are used.
  if (/^[ ]{0,3}\*\[[^\]\n]{1,100}\]:/.test(line)) return ''
  if (/^\[TOC\][ \t]*$/.test(line) || /^[ \t]*\{:[^{}\n]{0,300}\}[ \t]*$/.test(line)) return ''
  const [match, heading = '', attributes = ''] = headingId.exec(line) ?? []
  if (match === undefined || !/^[#.]|[\w-]+=/.test(attributes)) return dropInlineAttributes(line)
  const id = /(?:^|\s)(?:#|id=["']?)([^\s{}"']+)/.exec(attributes)?.[1]
  return id === undefined ? heading : `${heading} {#${id}}`
}

function dropInlineAttributes(line: string): string {
  return line.includes('{') ? replaceOutsideSpans(line, inlineAttributes, () => '') : line
}
