import { isAstroFile } from './astro-component.ts'
import { findReferenced, readElementReference } from './code-reference.ts'
import { importedFile, isRawImport } from './imported-file.ts'
import { imageTypeOf } from '../images/image-type.ts'
import type { LiteralValue } from '../markdown/literal-value.ts'
import type { ParsedSource } from '../markdown/parse-source.ts'
import { readAttribute } from './render-element.ts'
import type { JsxElement } from '../markdown/parse-markdown.ts'
import type { RenderScope } from './render-scope.ts'
import { isPageFile } from '../trees/source-path.ts'
import type { SiteRule } from '../finding-rules.ts'

const nestingMax = 10
/** Astro exports the content of a page under a name of its own. */
const contentExports: ReadonlySet<string> = new Set(['default', 'Content'])

/** The snippet that an element refers to, by the imports of its file; null if it is a component. */
export function findSnippet(node: JsxElement, scope: RenderScope): ParsedSource | null {
  const imported = scope.source.imports.find(
    ({ local, exported }) => local === node.name && contentExports.has(exported),
  )
  if (imported !== undefined) {
    const file = importedFile(scope.source, imported, scope.dialect)
    return (file !== null && (isPageFile(file) || isAstroFile(file)) && scope.library.get(file)) || null
  }
  const reference = readElementReference(node)
  if (reference === null) return null
  const file = findReferenced(scope.source.file, reference, (path) => scope.library.has(path))
  return (file !== null && isPageFile(file) && scope.library.get(file)) || null
}

/**
 * Makes the scope inside a snippet: its own imports and constants, and the attributes passed to it.
 *
 * @param renderChildren Renders the content of the element.
 * @returns Null, with a finding, for a snippet that is circular or nested too deeply.
 */
export function enterSnippet(
  snippet: ParsedSource,
  node: JsxElement,
  scope: RenderScope,
  renderChildren: () => string,
): RenderScope | null {
  const problem = findProblem(snippet, scope)
  if (problem !== null) {
    const line = node.position?.start.line ?? null
    scope.findings.add({ file: scope.source.file, line, rule: problem.rule, message: problem.message })
    return null
  }
  scope.budget.snippetsLeft--
  const properties = readProperties(node, scope)
  const props = new Map(properties)
  const own = constantsOf(snippet, scope)
  const values = new Map([...own, ...properties, ['props', props], ['Astro', new Map([['props', props]])]])
  const stack = [...scope.stack, snippet.file]
  return { ...scope, source: snippet, properties, values, stack, siblingTitles: [], children: renderChildren() }
}

function findProblem(snippet: ParsedSource, scope: RenderScope): { rule: SiteRule; message: string } | null {
  if (scope.stack.includes(snippet.file) || snippet.file === scope.page.file) {
    return { rule: 'snippet-cycle', message: `The snippet ${snippet.file} contains itself. Remove one of its imports.` }
  }
  if (scope.stack.length >= nestingMax) {
    const message = `Snippets are nested more than ${nestingMax} levels deep at ${snippet.file}. Flatten them.`
    return { rule: 'snippet-nesting-too-deep', message }
  }
  if (scope.budget.snippetsLeft > 0) return null
  return { rule: 'snippet-budget-reached', message: 'The page uses too many snippets; the rest are omitted.' }
}

function readProperties(node: JsxElement, scope: RenderScope): Map<string, LiteralValue> {
  const properties = new Map<string, LiteralValue>()
  for (const attribute of node.attributes) {
    if (attribute.type !== 'mdxJsxAttribute') continue
    const value = readAttribute(attribute, scope)
    if (value !== undefined) properties.set(attribute.name, value)
  }
  return properties
}

const addressOfImported = (file: string | null, reference: string) => (file === null ? reference : `/${file}`)

/** The constants that a file declares, or imports by name. */
export function constantsOf(
  source: ParsedSource,
  scope: Pick<RenderScope, 'library' | 'dialect'>,
): Map<string, LiteralValue> {
  const constants = new Map<string, LiteralValue>()
  for (const entry of source.imports) {
    const file = importedFile(source, entry, scope.dialect)
    const module = file === null ? undefined : scope.library.get(file)
    const imported = isRawImport(entry.reference) ? module?.text : module?.constants.get(entry.exported)
    // What bundlers make of an imported image leads to it.
    const value =
      imported ?? (imageTypeOf(entry.reference) === null ? undefined : addressOfImported(file, entry.reference))
    if (value !== undefined) constants.set(entry.local, value)
  }
  for (const [name, value] of source.constants) constants.set(name, value)
  return constants
}
