import { applyEdits, findNodeAtLocation, type JSONPath, modify, type Node, parseTree } from 'jsonc-parser'
import { routeOf } from './page-links.ts'

interface NamedPage {
  node: Node
  path: JSONPath
}

/** The positions where a navigation lists a page, excluding the sources of redirects. */
function findNames(root: Node, page: string): NamedPage[] {
  const found: NamedPage[] = []
  const visit = (node: Node, path: JSONPath) => {
    if (node.type === 'string' && isName(String(node.value), page) && path.at(-1) !== 'source')
      found.push({ node, path })
    if (node.type === 'array')
      for (const [index, child] of (node.children ?? []).entries()) visit(child, [...path, index])
    if (node.type !== 'object') return
    for (const property of node.children ?? []) {
      const [key, value] = property.children ?? []
      if (key !== undefined && value !== undefined) visit(value, [...path, String(key.value)])
    }
  }
  visit(root, [])
  return found
}

function isName(value: string, page: string): boolean {
  return value !== '' && !/^[a-z][a-z0-9+.-]*:/i.test(value) && routeOf(value.replace(/^\//, '')) === routeOf(page)
}

/** Replaces a page's old path by the new one everywhere, and redirects the old address. */
export function renameInNavigation(text: string, from: string, to: string): string {
  const root = parseTree(text)
  if (root === undefined) return text
  const edits = findNames(root, from).map(({ node }) => {
    const value = String(node.value)
    const slash = value.startsWith('/') ? '/' : ''
    const name = /\.mdx?$/i.test(value) ? to : keepIndex(value, to)
    return { offset: node.offset, length: node.length, content: JSON.stringify(slash + name) }
  })
  const renamed = applyEdits(text, edits)
  return addRedirect(renamed, { source: `/${routeOf(from)}`, destination: `/${routeOf(to)}` })
}

/** Navigations refer to an index by file or by folder; keeps the existing style. */
function keepIndex(value: string, to: string): string {
  const bare = to.replace(/\.mdx?$/i, '')
  return /(?:^|\/)index$/i.test(value) || /(?:^|\/)index$/i.test(bare) ? bare : routeOf(to)
}

/** Keeps one redirect per address: moving a page back removes the redirect of its earlier move. */
function addRedirect(text: string, redirect: { source: string; destination: string }): string {
  const kept = removeRedirects(text, redirect.destination)
  const root = parseTree(kept)
  const existing = root && findNodeAtLocation(root, ['redirects'])
  // Redirects in another file are not maintained here.
  if (root?.type !== 'object' || (existing !== undefined && existing.type !== 'array')) return kept
  const known = (existing?.children ?? []).some((node) => sourceOf(node) === redirect.source)
  if (known) return kept
  const path: JSONPath = existing === undefined ? ['redirects'] : ['redirects', existing.children?.length ?? 0]
  return change(kept, path, existing === undefined ? [redirect] : redirect)
}

function removeRedirects(text: string, source: string): string {
  const root = parseTree(text)
  const list = (root && findNodeAtLocation(root, ['redirects']))?.children ?? []
  const index = list.findLastIndex((node) => sourceOf(node) === source)
  return index === -1 ? text : removeRedirects(change(text, ['redirects', index], undefined), source)
}

function sourceOf(redirect: Node): unknown {
  return findNodeAtLocation(redirect, ['source'])?.value
}

/** Removes a page from a navigation. */
export function removeFromNavigation(text: string, page: string): string {
  let result = text
  for (;;) {
    const root = parseTree(result)
    const entry = root && findNames(root, page).find(({ path }) => typeof path.at(-1) === 'number')
    if (entry === undefined) return result
    result = change(result, entry.path, undefined)
  }
}

/** Adds a page after the last one of the same folder, or else after the last page. */
export function addToNavigation(text: string, page: string): string {
  const root = parseTree(text)
  if (root === undefined || findNames(root, page).length > 0) return text
  const entries = findPageEntries(root)
  const folder = folderOf(routeOf(page))
  const near = entries.findLast(({ node }) => folderOf(String(node.value).replace(/^\//, '')) === folder)
  const after = near ?? entries.at(-1)
  if (after === undefined) return text
  const slash = String(after.node.value).startsWith('/') ? '/' : ''
  const name = slash + page.replace(/\.mdx?$/i, '')
  const index = Number(after.path.at(-1)) + 1
  return change(text, [...after.path.slice(0, -1), index], name, true)
}

function findPageEntries(root: Node): NamedPage[] {
  const found: NamedPage[] = []
  const visit = (node: Node, path: JSONPath, isPages: boolean) => {
    if (node.type === 'string' && isPages && typeof path.at(-1) === 'number') found.push({ node, path })
    if (node.type === 'array') {
      for (const [index, child] of (node.children ?? []).entries()) visit(child, [...path, index], isPages)
    }
    if (node.type !== 'object') return
    for (const property of node.children ?? []) {
      const [key, value] = property.children ?? []
      if (key === undefined || value === undefined) continue
      visit(value, [...path, String(key.value)], key.value === 'pages')
    }
  }
  const navigation = findNodeAtLocation(root, ['navigation'])
  if (navigation !== undefined) visit(navigation, ['navigation'], false)
  return found
}

function folderOf(route: string): string {
  return route.split('/').slice(0, -1).join('/')
}

function change(text: string, path: JSONPath, value: unknown, isInserted = false): string {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  const formattingOptions = {
    tabSize: indent.startsWith('\t') ? 4 : indent.length,
    insertSpaces: !indent.startsWith('\t'),
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
  return applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion: isInserted }))
}
