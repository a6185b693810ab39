import type { Expression, Program } from 'estree-jsx'
import type { Root, RootContent } from 'mdast'
import type { LiteralValue } from '../markdown/literal-value.ts'
import { hoistLiterals } from '../markdown/hoist-literals.ts'
import { type JsxElement, parseMarkdown } from '../markdown/parse-markdown.ts'
import type { CodeItem } from './code-item.ts'
import { isRawText, listElementCode, type WrittenElement } from './element-code.ts'
import { isHarmfulAddress, isScriptAddress } from './harmful-address.ts'
import { isPlainValue, listTexts } from './literal-code.ts'

/**
 * Lists what a page of MDX imports, exports, evaluates and embeds.
 *
 * @throws {MarkdownSyntaxError} if it cannot be parsed.
 */
export function listMdxCode(written: string): CodeItem[] {
  const { text, literals } = hoistLiterals(written)
  const items: CodeItem[] = []
  const source = { text, literals }
  walk(parseMarkdown(text, 'mdx'), (node) => items.push(...listNodeCode(node, source)))
  return items
}

/** What both MDX and Markdown can contain: addresses of links, and fences that are executed. */
export function listMarkdownCode(root: Root): CodeItem[] {
  const items: CodeItem[] = []
  walk(root, (node) => items.push(...listPlainCode(node)))
  return items
}

interface MdxSource {
  text: string
  /** Values that the text names instead of repeating them. */
  literals: ReadonlyMap<string, LiteralValue>
}

function walk(root: Root, see: (node: RootContent) => void): void {
  const queue: RootContent[] = [...root.children]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    see(node)
    if ('children' in node) queue.push(...node.children)
  }
}

const lineOf = (node: RootContent) => node.position?.start.line ?? null

function listNodeCode(node: RootContent, source: MdxSource): CodeItem[] {
  const line = lineOf(node)
  if (node.type === 'mdxjsEsm') return listModuleCode(node.data?.estree, node.value, line)
  if (node.type === 'mdxFlowExpression' || node.type === 'mdxTextExpression') {
    return listExpressionCode(node.data?.estree, node.value, { source, line })
  }
  const isElement = node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement'
  return isElement ? listJsxCode(node, source) : listPlainCode(node)
}

function listPlainCode(node: RootContent): CodeItem[] {
  const line = lineOf(node)
  if (node.type === 'link' || node.type === 'image' || node.type === 'definition') {
    return isHarmfulAddress(node.url) ? [{ kind: 'address', text: node.url, line }] : []
  }
  if (node.type !== 'code') return []
  const info = `${node.lang ?? ''} ${node.meta ?? ''}`.trim()
  const isExecuted = executedFence.test(info) || (/^mermaid\b/.test(info) && activeDiagram.test(node.value))
  return isExecuted ? [{ kind: 'fence', text: `${info}\n${node.value}`, line }] : []
}

/**
 * Live samples of Docusaurus, `markdown-exec` of MkDocs, languages in which VitePress still expands `{{ }}`, blocks that
 * Fumadocs replaces by files, and cells and directives of notebooks (MyST, Quarto).
 */
const executedFence =
  /(?:^|\s)live(?:[\s=]|$)|\bexec(?:\s|=|$)|^\S*-vue(?![\w-])|(?:^|\s)doc-gen:|^pyodide\b|^\{(?:=\w+|code-cell|eval-rst|raw|include|literalinclude|csv-table|exec|jupyter-execute|pyodide|webr|python|r|julia|ojs|bash|sh|js|javascript|html|sql)(?![\w-])/
/** What Mermaid runs where a site has relaxed its security level. */
const activeDiagram = /securityLevel|^[ \t]*click[^\n]*(?:\bcall\b|script:|data:)|\bon[a-z]+\s*=/im

function listModuleCode(program: Program | null | undefined, text: string, line: number | null): CodeItem[] {
  const statements = program?.body ?? []
  if (statements.length === 0) return [{ kind: 'export', text, line }]
  return statements.map((statement) => {
    if (statement.type !== 'ImportDeclaration') return { kind: 'export', text, line }
    const names = statement.specifiers.map(({ local }) => local.name)
    return { kind: 'import', text: String(statement.source.value), names, line }
  })
}

/** @param place.line Of the expression. */
function listExpressionCode(
  program: Program | null | undefined,
  written: string,
  { source, line }: { source: MdxSource; line: number | null },
): CodeItem[] {
  const expressions = readExpressions(program)
  const elements: CodeItem[] = []
  if (expressions?.every((expression) => isPlain(expression, source, elements)) === true) return elements
  return [...elements, { kind: 'expression', text: `{${written}}`, line }]
}

/** Empty for a comment; null for anything else than one expression. */
function readExpressions(program: Program | null | undefined): Expression[] | null {
  if (program === null || program === undefined) return null
  const found = program.body.map((statement) =>
    statement.type === 'ExpressionStatement' ? statement.expression : null,
  )
  return found.every((expression) => expression !== null) && found.length <= 1 ? found : null
}

function isPlain(expression: Expression, { literals }: MdxSource, elements: CodeItem[]): boolean {
  const value = expression.type === 'Identifier' ? literals.get(expression.name) : undefined
  return value === undefined ? isPlainValue(expression, elements) : !hasScriptAddress(value)
}

function hasScriptAddress(value: LiteralValue): boolean {
  if (typeof value === 'string') return isScriptAddress(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasScriptAddress)
}

function listJsxCode(node: JsxElement, source: MdxSource): CodeItem[] {
  const line = lineOf(node)
  const items: CodeItem[] = []
  const attributes: WrittenElement['attributes'][number][] = []
  for (const attribute of node.attributes) {
    if (attribute.type === 'mdxJsxExpressionAttribute') {
      items.push({ kind: 'expression', text: `{${attribute.value}}`, line })
      continue
    }
    const { name, value } = attribute
    if (typeof value === 'object' && value !== null) {
      items.push(...listExpressionCode(value.data?.estree, value.value, { source, line }))
      attributes.push({ name, value: listTexts(value.data?.estree?.body) })
    } else attributes.push({ name, value: value ?? null })
  }
  const content = isRawText(node.name) ? sliceContent(node, source.text) : null
  return [...items, ...listElementCode({ name: node.name, attributes, line, content })]
}

function sliceContent({ children }: JsxElement, text: string): string {
  return text.slice(children[0]?.position?.start.offset ?? 0, children.at(-1)?.position?.end.offset ?? 0)
}
