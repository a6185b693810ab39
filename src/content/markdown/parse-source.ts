import type { Program } from 'estree-jsx'
import type { Definition, Root, RootContent } from 'mdast'
import { hoistLiterals } from './hoist-literals.ts'
import { type LiteralValue, readLiteral } from './literal-value.ts'
import type { MarkdownSyntaxError } from './markdown-syntax-error.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { parseRepaired } from './repair-mdx.ts'

/** A name that a file imports from another. */
export interface SourceImport {
  /** Local name. */
  local: string
  /** Exported name; `default` for the file's content. */
  exported: string
  /** As written: `/snippets/x.mdx`, `./x.mdx`, `react`. */
  reference: string
}

/** A parsed file before expansion. Shared by all pages that use it: never modify it. */
export interface ParsedSource {
  file: string
  /** The text that positions in `root` refer to. */
  text: string
  root: Root
  imports: SourceImport[]
  /** `export const` declarations with literal values. */
  constants: ReadonlyMap<string, LiteralValue>
  definitions: ReadonlyMap<string, Definition>
}

/**
 * @param onFault Called for a fault of MDX that could be worked around; without it, every fault is thrown.
 * @throws {MarkdownSyntaxError}
 */
export function parseSource(
  file: string,
  written: string,
  syntax: 'markdown' | 'mdx',
  onFault?: (fault: MarkdownSyntaxError) => void,
): ParsedSource {
  const { text, root, constants } = parseText(written, syntax, onFault)
  const imports: SourceImport[] = []
  const definitions = new Map<string, Definition>()
  for (const node of root.children) {
    if (node.type === 'mdxjsEsm') readModuleCode(node.data?.estree, imports, constants)
  }
  collectDefinitions(root.children, definitions)
  return { file, text, root, imports, constants, definitions }
}

function parseText(written: string, syntax: 'markdown' | 'mdx', onFault?: (fault: MarkdownSyntaxError) => void) {
  if (syntax === 'markdown') {
    return { text: written, root: parseMarkdown(written, syntax), constants: new Map<string, LiteralValue>() }
  }
  const { text, literals: constants } = hoistLiterals(written)
  if (onFault === undefined) return { text, root: parseMarkdown(text, syntax), constants }
  return { ...parseRepaired(text, onFault), constants }
}

function readModuleCode(
  program: Program | null | undefined,
  imports: SourceImport[],
  constants: Map<string, LiteralValue>,
) {
  for (const statement of program?.body ?? []) {
    if (statement.type === 'ImportDeclaration') {
      const reference = String(statement.source.value)
      for (const specifier of statement.specifiers) {
        const local = specifier.local.name
        if (specifier.type === 'ImportDefaultSpecifier') imports.push({ local, exported: 'default', reference })
        else if (specifier.type === 'ImportSpecifier') {
          const exported = specifier.imported.type === 'Identifier' ? specifier.imported.name : local
          imports.push({ local, exported, reference })
        }
      }
    } else if (statement.type === 'ExportNamedDeclaration' && statement.declaration?.type === 'VariableDeclaration') {
      for (const { id, init } of statement.declaration.declarations) {
        const value = readLiteral(init ?? undefined, constants)
        if (id.type === 'Identifier' && value !== undefined) constants.set(id.name, value)
      }
    }
  }
}

function collectDefinitions(nodes: readonly RootContent[], definitions: Map<string, Definition>): void {
  const queue: RootContent[] = [...nodes]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (node.type === 'definition') definitions.set(node.identifier, node)
    else if ('children' in node && node.type !== 'paragraph') queue.push(...(node.children as RootContent[]))
  }
}
