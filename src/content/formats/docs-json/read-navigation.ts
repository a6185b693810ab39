import { containerKeys, type NavigationNode, navigationNodeSchema } from './docs-config.ts'
import type { FindingList } from '../../finding-list.ts'
import {
  type NavigationEntry,
  type NavigationPlace,
  readOperationName,
  type SpecReference,
  topPlace,
} from '../../pages/navigation-entry.ts'
import { isRecord, parseTolerantly } from '../../site-config/parse-tolerantly.ts'
import type { SiteRule } from '../../finding-rules.ts'

export interface Navigation {
  /** In reading order. A page may occur more than once. */
  entries: NavigationEntry[]
  defaultVersion: string | null
  defaultLanguage: string | null
  languages: ReadonlySet<string>
}

interface Walk {
  file: string
  findings: FindingList
  entries: NavigationEntry[]
  versions: Map<string, boolean>
  languages: Map<string, boolean>
}

const depthMax = 64
const entriesMax = 100_000

/**
 * Reads the navigation of a `docs.json`, with containers nested in any way. Settings of a node apply to the pages
 * below, unless a nearer node overrides them.
 *
 * @param navigation The value of `navigation`, with its references resolved.
 * @param spec The API description of the whole site, if any.
 */
export function readNavigation(
  navigation: unknown,
  options: { file: string; findings: FindingList; spec: SpecReference | null },
): Navigation {
  const { file, findings, spec } = options
  const walk: Walk = { file, findings, entries: [], versions: new Map(), languages: new Map() }
  if (isRecord(navigation)) readNode(walk, navigation, { ...topPlace, spec }, 0)
  else if (Array.isArray(navigation)) readNodes(walk, 'groups', navigation, { ...topPlace, spec }, 0)
  return {
    entries: walk.entries,
    defaultVersion: defaultOf(walk.versions),
    defaultLanguage: defaultOf(walk.languages),
    languages: new Set(walk.languages.keys()),
  }
}

/** The name marked as default, else the first. */
function defaultOf(names: ReadonlyMap<string, boolean>): string | null {
  for (const [name, isDefault] of names) if (isDefault) return name
  return names.keys().next().value ?? null
}

function readChildren(
  walk: Walk,
  node: Readonly<Record<string, unknown>>,
  place: NavigationPlace,
  depth: number,
): void {
  if (depth > depthMax) {
    const message = `The navigation is nested more than ${depthMax} levels deep; anything deeper is omitted. Flatten it.`
    walk.findings.add({ file: walk.file, line: null, rule: 'navigation-too-deep', message })
    return
  }
  for (const key of containerKeys) {
    const children = node[key]
    if (children === undefined || children === null) continue
    if (Array.isArray(children)) readNodes(walk, key, children, place, depth)
    else if (key === 'global' && isRecord(children)) readChildren(walk, children, place, depth + 1)
    else report(walk, 'navigation-invalid', `${key} in the navigation is not a list and is ignored.`)
  }
}

function readNodes(walk: Walk, key: string, nodes: readonly unknown[], place: NavigationPlace, depth: number): void {
  for (const node of nodes) {
    if (walk.entries.length >= entriesMax) {
      report(walk, 'navigation-too-large', `The navigation has more than ${entriesMax} pages; the rest are omitted.`)
      return
    }
    if (typeof node === 'string') addEntry(walk, node, place)
    else if (isRecord(node)) readNode(walk, node, place, depth)
    else report(walk, 'navigation-invalid', `An entry of ${key} is neither a path nor an object and is ignored.`)
  }
}

function readNode(walk: Walk, value: Readonly<Record<string, unknown>>, outer: NavigationPlace, depth: number): void {
  const node = parseTolerantly(navigationNodeSchema, value, (key, problem) => {
    report(walk, 'navigation-invalid', `${key} of ${nameOf(value)} is ignored: ${problem}.`)
  })
  if (node.language !== undefined) rememberDefault(walk.languages, node.language, node)
  if (node.version !== undefined) rememberDefault(walk.versions, node.version, node)
  reportUnsupported(walk, node, value)
  const place = enterNode(node, outer)
  const count = walk.entries.length
  if (node.root !== undefined) addEntry(walk, node.root, place)
  if (node.href !== undefined && /^\/(?!\/)/.test(node.href)) addLink(walk, node.href, place)
  readChildren(walk, value, place, depth + 1)
  const isSpecOnly =
    node.openapi !== undefined && walk.entries.slice(count).every((entry) => entry.target === node.root)
  if (isSpecOnly) walk.entries.push({ kind: 'specification', target: null, place })
}

function rememberDefault(names: Map<string, boolean>, name: string, node: NavigationNode): void {
  names.set(name, (names.get(name) ?? false) || node.default === true)
}

function enterNode(node: NavigationNode, outer: NavigationPlace): NavigationPlace {
  const title = node.product ?? node.tab ?? node.anchor ?? node.dropdown ?? node.group ?? node.item
  const isHiddenHere = node.hidden === true
  return {
    section: title === undefined || title === '' ? outer.section : [...outer.section, title],
    version: node.version ?? outer.version,
    language: node.language ?? outer.language,
    // A version's tag is a badge of the version menu, not of its pages.
    tag: (node.version === undefined ? node.tag : undefined) ?? outer.tag,
    isHidden: outer.isHidden || isHiddenHere,
    // Hiding a node resets `searchable`, which must then be set anew.
    searchable: node.searchable ?? (isHiddenHere ? undefined : outer.searchable),
    isPublic: node.public ?? outer.isPublic,
    boost: node.boost ?? outer.boost,
    spec: node.openapi === undefined ? outer.spec : readSpec(node.openapi, outer.spec),
  }
}

const defaultDirectory = 'api-reference'

export function readSpec(openapi: NonNullable<NavigationNode['openapi']>, outer: SpecReference | null): SpecReference {
  const directory = outer?.directory ?? defaultDirectory
  if (typeof openapi === 'string') return { sources: [openapi], directory }
  if (Array.isArray(openapi)) return { sources: openapi, directory }
  const sources = typeof openapi.source === 'string' ? [openapi.source] : openapi.source
  return { sources, directory: openapi.directory ?? directory }
}

function addEntry(walk: Walk, text: string, place: NavigationPlace): void {
  const named = readOperationName(text)
  if (named !== null) walk.entries.push({ kind: 'operation', ...named, place })
  else if (!/^[a-z][a-z0-9+.-]*:/i.test(text))
    walk.entries.push({ kind: 'page', target: text, place, isOptional: false })
}

/** An anchor may link to a page of the site, which thereby is in the navigation. */
function addLink(walk: Walk, href: string, place: NavigationPlace): void {
  const target = href.replace(/[?#].*$/, '')
  if (target !== '/' && !/\.[a-z0-9]{2,5}$/i.test(target))
    walk.entries.push({ kind: 'page', target, place, isOptional: true })
}

function reportUnsupported(walk: Walk, node: NavigationNode, value: Readonly<Record<string, unknown>>): void {
  const name = nameOf(value)
  if (node.sourceRef !== undefined) {
    const message = `${name} takes its pages from the repository ${node.sourceRef}, which is not read. Index that repository as a separate site.`
    report(walk, 'navigation-source-unsupported', message)
  }
  for (const key of ['asyncapi', 'graphql', 'sdk'] as const) {
    if (node[key] === undefined) continue
    report(
      walk,
      'navigation-generator-unsupported',
      `Pages that ${key} generates at ${name} are not read; only pages listed individually are.`,
    )
  }
}

function nameOf(value: Readonly<Record<string, unknown>>): string {
  for (const key of ['language', 'version', 'product', 'tab', 'anchor', 'dropdown', 'group', 'item']) {
    if (typeof value[key] === 'string') return `the ${key} ${value[key].slice(0, 100)}`
  }
  return 'a navigation entry'
}

function report(walk: Walk, rule: SiteRule, message: string): void {
  walk.findings.add({ file: walk.file, line: null, rule, message })
}
