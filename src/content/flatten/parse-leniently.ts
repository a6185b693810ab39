import { mapProse } from '../markdown/code-fence.ts'
import { MarkdownSyntaxError } from '../markdown/markdown-syntax-error.ts'
import { type ParsedSource, parseSource } from '../markdown/parse-source.ts'
import type { SourceLibrary, SourceText } from './source-library.ts'
import { decodeEntities, stripTags } from '../markdown/strip-tags.ts'

/**
 * Parses a page or snippet. Reports a syntax error as a finding with its line. Works around faults of MDX; a page with
 * too many falls back to plain text: drops code and tags, and reads the rest as Markdown.
 */
export function parseLeniently(
  source: SourceText,
  library: Pick<SourceLibrary, 'dialect' | 'variables' | 'findings'>,
): ParsedSource {
  const { file, body, bodyLine } = source
  const { dialect, variables, findings } = library
  const syntax = dialect.syntaxOf(file)
  const report = (error: MarkdownSyntaxError, consequence: string) => {
    const line = error.line === null ? null : error.line + bodyLine
    findings.add({ file, line, rule: 'page-unparsable', message: `${consequence}: ${error.message}` })
  }
  try {
    return parseSource(file, dialect.prepare(body, { syntax, variables }), syntax, (fault) =>
      report(fault, 'The page has a syntax error and is read without what causes it'),
    )
  } catch (error) {
    if (!(error instanceof MarkdownSyntaxError)) throw error
    report(error, 'The page cannot be parsed and is read as plain text')
    return parsePlain(file, dropMarkup(body))
  }
}

function parsePlain(file: string, text: string): ParsedSource {
  try {
    return parseSource(file, text, 'markdown')
  } catch (error) {
    if (!(error instanceof MarkdownSyntaxError)) throw error
    return { file, text, root: wrapText(text), imports: [], constants: new Map(), definitions: new Map() }
  }
}

/** Makes plain text paragraphs of text that is too slow to parse even as Markdown. */
function wrapText(text: string): ParsedSource['root'] {
  const paragraphs = text.split(/\n[ \t]*\n/).filter((paragraph) => paragraph.trim() !== '')
  return {
    type: 'root',
    children: paragraphs.map((value) => ({ type: 'paragraph', children: [{ type: 'text', value: value.trim() }] })),
  }
}

function dropMarkup(body: string): string {
  return mapProse(body, (prose) => {
    let isModuleCode = false
    const lines = prose.split('\n').filter((line) => {
      // As in MDX, module code ends at a blank line.
      isModuleCode = line.trim() !== '' && (isModuleCode || /^(?:import|export)\s/.test(line))
      return !isModuleCode
    })
    return dropTags(lines.map((line) => (/^\s*(?:[-*+]|\d+[.)])\s/.test(line) ? line : line.trimStart())).join('\n'))
  })
}

function dropTags(text: string): string {
  return decodeEntities(stripTags(text.replace(/\{\/\*[\s\S]*?(?:\*\/\}|$)/g, '')))
}
