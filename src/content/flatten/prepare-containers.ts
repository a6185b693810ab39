import { calloutLabel } from '../markdown/callout-label.ts'
import { createFenceTracker } from '../markdown/code-fence.ts'

const opening = /^([ \t>]*)(:{3,})[ \t]*([A-Za-z][\w-]{0,50})[ \t]*(.{0,500})$/
const closing = /^[ \t>]*:{3,}[ \t]*$/
const alert = /^([ \t]*(?:>[ \t]*)+)\[!([A-Za-z]{1,20})\][-+]?[ \t]*(.{0,500})$/

/** Containers that only group their content. */
const silent = new Set(['code-group', 'raw', 'v-pre', 'tabs', 'tab', 'steps', 'group', 'demo'])

/**
 * Turns `::: tip Title` … `:::`, `:::note[Title]` and `> [!NOTE]` into a bold label before their content. Preserves
 * line numbers and leaves code alone. Pure.
 */
export function prepareContainers(body: string): string {
  if (!/:::|\[!/.test(body)) return body
  const isCode = createFenceTracker()
  const lines = body.split('\n')
  for (const [index, line] of lines.entries()) {
    if (isCode(line)) continue
    if (closing.test(line)) lines[index] = line.replace(/:.*$/, '').trimEnd()
    else labelContainer(lines, index)
  }
  return lines.join('\n')
}

function labelContainer(lines: string[], index: number): void {
  const line = lines[index] ?? ''
  const [isAlert, quote = '', kindOfAlert = '', alertTitle = ''] = alert.exec(line) ?? []
  if (isAlert !== undefined) {
    lines[index] = `${quote}${writeLabel(calloutLabel(kindOfAlert) || kindOfAlert, alertTitle.trim())}`
    return
  }
  const [isOpening, indent = '', , kind = '', rest = ''] = opening.exec(line) ?? []
  if (isOpening === undefined) return
  const title = readTitle(rest)
  const name = kind === 'details' ? '' : calloutLabel(kind)
  const label = silent.has(kind) ? title : writeName(name, title, kind)
  const next = lines[index + 1] ?? ''
  if (label === '') lines[index] = indent.trimEnd()
  else if (title === '' && isText(next)) {
    lines[index] = indent.trimEnd()
    lines[index + 1] = next.replace(/^([ \t>]*)/, (blanks) => `${blanks}**${label}:** `)
  } else lines[index] = `${indent}**${label}**${isText(next) ? '  ' : ''}`
}

function writeName(name: string, title: string, kind: string): string {
  if (title !== '') return name === '' ? title : `${name}: ${title}`
  return name === '' && kind === 'details' ? 'Details' : name
}

function writeLabel(name: string, title: string): string {
  return title === '' ? `**${name}:**` : `**${name}: ${title}**`
}

/** Parses `[Title]{.class}`, `Title {open}` or nothing. */
function readTitle(rest: string): string {
  const bracketed = /^\[((?:[^[\]]|\[[^[\]]*\])*)\]/.exec(rest)?.[1]
  return (bracketed ?? rest.replace(/\{[^{}]*\}[ \t]*$/, '')).replace(/^["']|["']$/g, '').trim()
}

/** Whether a line is plain text that a label can precede. */
function isText(line: string): boolean {
  return /^[ \t>]*[^\s>]/.test(line) && !/^[ \t>]*(?:[-+#|~<:]|\*(?!\*)|\d+[.)]|`{3}|!!!|import\s|export\s)/.test(line)
}

/** Removes HTML comments, which are invalid in MDX. Preserves line numbers and code. Pure. */
export function blankComments(body: string): string {
  if (!body.includes('<!--')) return body
  const isCode = createFenceTracker()
  let isComment = false
  return body
    .split('\n')
    .map((line) => {
      if (!isComment && isCode(line)) return line
      const parts: string[] = []
      let rest = line
      while (rest !== '') {
        const mark = isComment ? '-->' : '<!--'
        const position = rest.indexOf(mark)
        if (!isComment) parts.push(position === -1 ? rest : rest.slice(0, position))
        if (position === -1) break
        rest = rest.slice(position + mark.length)
        isComment = !isComment
      }
      return parts.join('')
    })
    .join('\n')
}

/** Rewrites `## Title [#id]` to `## Title {#id}` and drops markers for the table of contents. Pure. */
export function prepareHeadingMarks(body: string): string {
  return body.replace(
    /^([ \t]*#{1,6}[ \t][^\n]*?)((?:[ \t]*\[(?:#[^\s[\]]{1,200}|!?toc|step)\])+)[ \t]*$/gm,
    (_line, heading: string, marks: string) => {
      const id = /\[(#[^\]]+)\]/.exec(marks)?.[1]
      return id === undefined ? heading : `${heading} {${id}}`
    },
  )
}
