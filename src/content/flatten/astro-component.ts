import { MarkdownSyntaxError } from '../markdown/markdown-syntax-error.ts'
import { readModuleConstants } from '../markdown/module-constants.ts'
import { type ParsedSource, parseSource } from '../markdown/parse-source.ts'
import { splitFrontmatter } from '../markdown/read-frontmatter.ts'

export function isAstroFile(file: string): boolean {
  return /\.astro$/i.test(file)
}

const moduleImport = /^import\s[^'"`;]{1,1000}\sfrom\s*(?:'[^'\n]{1,300}'|"[^"\n]{1,300}")/gm
const unseen = /<!--[^]*?(?:-->|$)|<(script|style)\b[^]*?(?:<\/\1\s*>|$)|<slot\s[^<>]{0,300}\bname=[^<>]{0,300}>/gi
const slot = /<slot(?:\s[^<>]{0,300})?\/>|<slot>(?:(?!<\/?slot>)[^])*<\/slot>/gi
/** `<a {href}>` for `<a href={href}>`. */
const shorthand = /(?<=<\w[^<>{}]{0,300}\s)\{(\w{1,60})\}(?=[\s/>])/g
const openVoid =
  /(<(?:area|br|col|embed|hr|img|input|source|track|wbr)\b(?:[^<>"'{]|"[^"]*"|'[^']*'|\{[^{}]*\}){0,60}?)\s*\/?>/gi

const container = '(?:article|aside|div|dl|figure|footer|header|li|main|nav|ol|section|table|tbody|thead|tr|ul)'
/** Between blocks on the same line: MDX would take them for words of a paragraph. */
const blockSeam = new RegExp(
  `(?<=</(?:${container}|p|h[1-6])>|<${container}(?:\\s[^<>{}]{0,300})?>|</\\w+>\\{children\\})(?=<|\\{children\\})`,
  'g',
)

/**
 * Parses the markup of an Astro component as MDX: its imports, literal constants and properties fill its expressions, and its
 * slot shows what the page puts between its tags. Nothing is run.
 *
 * @returns Null if it cannot be parsed; the page then shows what it gives the component.
 */
export function parseAstroComponent(file: string, text: string): ParsedSource | null {
  const { yaml: script, body } = splitFrontmatter(text)
  const imports = script?.match(moduleImport) ?? []
  const whole = body.replace(unseen, '').replace(openVoid, '$1 />')
  const markup = whole.replace(slot, '{children}').replace(shorthand, '$1={$1}').replace(blockSeam, '\n')
  const constants = readModuleConstants('script.ts', (script ?? '').replace(/^(?:export )?const\b/gm, 'export const'))
  try {
    const source = parseSource(file, `${imports.join('\n')}\n\n${markup.trim()}`, 'mdx')
    return { ...source, constants: new Map([...constants, ...source.constants]) }
  } catch (error) {
    if (error instanceof MarkdownSyntaxError) return null
    throw error
  }
}
