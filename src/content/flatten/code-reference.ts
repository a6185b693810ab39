import type { Code, RootContent } from 'mdast'
import { readModuleConstants } from '../markdown/module-constants.ts'
import { fenceCode } from '../markdown/markdown-writing.ts'
import type { JsxElement } from '../markdown/parse-markdown.ts'
import type { ParsedSource } from '../markdown/parse-source.ts'
import { isPageFile, resolveSourcePath } from '../trees/source-path.ts'
import { selectPart } from './expand-includes.ts'
import { isLook } from './property-kind.ts'
import { type RenderScope, chargeBudget } from './render-scope.ts'

/** `./x.ts#L2-L9`, `x.ts#region`: at most one part of a file; neither an address nor an image. */
const reference = /^([\w@./ ()[\]-]{1,300}\.[A-Za-z]\w{0,9})(?:#([\w.:-]{1,100}))?$/
const showingCode = /snippet|code|include|embed/i
const referringNames = /^(?:src|file|path|filePath)$/
const fenceFile = /(?:^|\s)(?:file|src)=(?:"([^"]*)"|'([^']*)'|(\S+))/

/** The file whose content an element without content shows, as `<Snippet src="x.ts" />` does; null if none. */
export function readElementReference(node: JsxElement): string | null {
  if (!showingCode.test(node.name ?? '') || node.children.length > 0) return null
  let found: string | null = null
  for (const attribute of node.attributes) {
    if (attribute.type !== 'mdxJsxAttribute') continue
    if (/^(?:code|children|text)$/.test(attribute.name)) return null
    const { name, value } = attribute
    if (referringNames.test(name) && typeof value === 'string' && isReference(value)) found = value
  }
  return found
}

function isReference(text: string): boolean {
  return reference.test(text) && !isLook(text)
}

/** The file that an empty fence shows by its options, as `file=./x.ts#L1-L5` does; null if none. */
export function readFenceReference(node: Code): string | null {
  if (node.value.trim() !== '') return null
  const [, double, single, bare] = fenceFile.exec(node.meta ?? '') ?? []
  const written = double ?? single ?? bare ?? ''
  return isReference(written) ? written : null
}

function readNodeReference(node: RootContent): string | null {
  if (node.type === 'code') return readFenceReference(node)
  return node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement' ? readElementReference(node) : null
}

/** All references of a file to others whose content it shows. */
export function listReferences(root: ParsedSource['root']): { reference: string; line: number | null }[] {
  const found: { reference: string; line: number | null }[] = []
  const queue: RootContent[] = [...root.children]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    const written = readNodeReference(node)
    if (written !== null) found.push({ reference: written, line: node.position?.start.line ?? null })
    if ('children' in node) queue.push(...node.children)
  }
  return found
}

/** The file of a reference: beside the page, from the root, or in the folder of snippets. */
export function findReferenced(fromFile: string, written: string, has: (file: string) => boolean): string | null {
  const path = written.replace(/#.*$/, '')
  const places = [
    resolveSourcePath(fromFile, path),
    ...['', '/snippets/'].map((folder) => resolveSourcePath('', `${folder}${path}`)),
  ]
  return places.find((file) => file !== null && has(file)) ?? null
}

/** A file that is not a page, for the pages that import or show it. */
export function toCodeSource(file: string, text: string): ParsedSource {
  const constants = readModuleConstants(file, text)
  return { file, text, root: { type: 'root', children: [] }, imports: [], constants, definitions: new Map() }
}

/** Shows the code that a reference names; null if its file is missing or a page. */
export function renderReferenced(written: string, info: string, scope: RenderScope): string | null {
  const file = findReferenced(scope.source.file, written, (path) => scope.library.has(path))
  const text = file === null || isPageFile(file) ? undefined : scope.library.get(file)?.text
  if (file === null || text === undefined) return null
  const part = selectPart(text, readPart(reference.exec(written)?.[2] ?? ''))
  return chargeBudget(
    fenceCode(part, info === '' ? `${/\w+$/.exec(file)?.[0] ?? ''} ${file.split('/').at(-1) ?? ''}` : info),
    scope,
  )
}

/** `L2-L9`, `2-9` or the name of a region. */
function readPart(part: string): Parameters<typeof selectPart>[1] {
  const [isLines, first = '', last] = /^L?(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(part) ?? []
  if (isLines === undefined) return { region: part, lines: [] }
  return { region: '', lines: [[Number(first), Number(last ?? first)]] }
}
