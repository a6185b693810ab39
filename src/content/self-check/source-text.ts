import { closesFence, createFenceTracker, readFenceMarker } from '../markdown/code-fence.ts'
import { scanMarkup } from './scan-markup.ts'

/** Lines that are instructions to a site generator: includes, definitions of links and abbreviations, tables of contents. */
const instruction = /^[ \t]*(?:<<<|-{1,2}8<-|\{!|\[\[?toc\]?\]|\*?\[[^\]^][^\]]*\]:\s|@include)/i
/** `::: package.module`, with indented options. */
const generatedApi = /^:::[ \t]+[\w.:-]+[ \t]*\n {4}\S/m

/** Whether parts of the page are generated from code that Docent does not read. */
export function containsGeneratedApi(body: string): boolean {
  return generatedApi.test(body) || /^:::[ \t]+[\w-]+\.[\w.]+[ \t]*$/m.test(body)
}

/** Marks in front of a title: `::: tip`, `!!! note`, `/// tab |`, `> [!NOTE]`. */
const directive = /^[ \t>]*(?::{2,}[ \t]*[\w-]+|(?:!!!|\?\?\?\+?)[ \t]*[\w \t-]*|\/{3,}[ \t]*[\w-]*|\[![\w-]+\])/
/** Codes of icons, lists of classes, and what an editor's mark deletes or comments on. */
const unshown =
  /:(?:material|fontawesome|octicons|simple)-[a-z\d-]{1,100}:|\{:?[ \t]{0,5}[.#][\w-][^{}\n]{0,300}\}|\{--[^{}\n]{0,1000}--\}|\{>>[^{}\n]{0,1000}<<\}|\{~~[^{}\n]{0,1000}?~>/g
/** Code that its page shows only in part, or with marks that are not part of it. */
const partialCode = /---cut/
const codeMark = /\[!code[^\]\n]*\]/g

/**
 * Reduces a page's source to what its readers should find on the page: no module code, comments, tags, addresses or
 * instructions, but the text of properties and all code.
 *
 * Knows nothing of components, and does not use the parser that makes the page, so that it also notices what that one
 * drops. Doubtful parts are omitted. Linear time. Pure.
 */
export function readSourceText(body: string, syntax: 'markdown' | 'mdx'): string {
  const parts: string[] = []
  let prose: string[] = []
  const flush = () => {
    if (prose.length > 0) parts.push(scanMarkup(prose.join('\n'), syntax))
    prose = []
  }
  const lines = syntax === 'mdx' ? dropModuleCode(body.split('\n')) : body.split('\n')
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const marker = readFenceMarker(line)
    if (marker !== null) {
      flush()
      const start = index + 1
      while (index + 1 < lines.length && !closesFence(lines[index + 1] ?? '', marker)) index++
      const code = lines.slice(start, ++index).join('\n')
      if (!partialCode.test(code)) parts.push(code.replace(codeMark, ''))
    } else if (line.startsWith(':::') && generatedApi.test(`${line}\n${lines[index + 1]}`)) {
      while (/^(?:[ \t]|$)/.test(lines[index + 1] ?? 'x')) index++
    } else if (!instruction.test(line)) prose.push(line.replace(directive, '').replace(unshown, ' '))
  }
  flush()
  return parts.join('\n')
}

/** Blanks `import` and `export`, which end at a blank line unless a bracket is open. */
function dropModuleCode(lines: readonly string[]): string[] {
  const isFenced = createFenceTracker()
  let open = 0
  let isCode = false
  return lines.map((line) => {
    if (!isCode && (isFenced(line) || !/^(?:import|export)\s/.test(line))) return line
    open += (line.match(/[([{]/g) ?? []).length - (line.match(/[)\]}]/g) ?? []).length
    isCode = line.trim() !== '' || open > 0
    if (!isCode) open = 0
    return ''
  })
}
