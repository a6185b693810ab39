import type { SiteReading } from '../site-reading.ts'
import { readStoredText } from '../trees/read-text.ts'
import { readConfigModules } from '../site-config/read-config-code.ts'
import { CodeLiterals } from './code-literals.ts'
import { readJsonLiterals } from './json-literals.ts'
import {
  type LiteralField,
  type LiteralNode,
  type LiteralRecord,
  type LiteralText,
  resolveLiteral,
} from './literal-node.ts'
import type { LiteralContainer, NewElement } from './splice-literals.ts'
import { readYamlLiterals } from './yaml-literals.ts'

/** A page to be named. */
export interface PageToList {
  file: string
  title: string
}

/** A place in a file that names a page. */
export interface PageName {
  file: string
  /** The text that names it, or the field of a record whose key does. */
  node: LiteralText | LiteralField
  /** How the place would name another file; null if it cannot. */
  write(file: string): string | null
}

/** A list of entries, or a record whose fields are entries. */
export interface NavigationGroup {
  /** Titles of the groups around it and its own, outermost first. */
  trail: readonly string[]
  container: LiteralContainer
  entries: NavigationEntry[]
  /** Null where no page is allowed. */
  write(page: PageToList): NewElement | null
  /** Null where no group is allowed. */
  writeGroup(title: string, pages: readonly PageToList[]): NewElement | null
}

export interface NavigationEntry {
  /** Position in the container. */
  index: number
  title: string | null
  titleNode: LiteralText | TitleKey | null
  names: PageName[]
  groups: NavigationGroup[]
}

/** Where redirects are written. */
export interface RedirectPlace {
  container: LiteralContainer
  /** Whether the file has no redirects yet, and the container is the record that gets them. */
  isNew: boolean
  /** The record that contains the redirects, or would; null if they are part of something else. */
  root: LiteralRecord | null
  /** Null if the place cannot contain such a redirect. */
  write(from: RedirectEnd, to: RedirectEnd): NewElement | null
  /** Sources of the existing redirects, by position. */
  sources: readonly string[]
  /** As the place writes the source of one. */
  sourceOf(from: RedirectEnd): string
}

/** A page or a former page. */
export interface RedirectEnd {
  file: string
  address: string
}

/** The written navigation of a site. */
export interface SiteNavigation {
  groups: NavigationGroup[]
  /** Code that makes a part of it. */
  computed: readonly { file: string; line: number }[]
  /** Why a page shows without an entry; null if it needs one. */
  describeAutomatic(file: string): string | null
  /** Where redirects go, or a sentence that says what people have to do. */
  redirects: RedirectPlace | string
}

/** What a format needs to find its navigation. */
export interface NavigationSite {
  reading: SiteReading
  /** The site's folder in the tree. */
  root: string
  /** Address → file. */
  routes: ReadonlyMap<string, string>
  /** File → address. */
  addresses: ReadonlyMap<string, string>
  literals: LiteralReader
}

/** Finds the written navigation of a site in one format. */
export type NavigationReader = (site: NavigationSite) => Promise<SiteNavigation>

/** Reads files as literals, and remembers the text that offsets refer to. */
export class LiteralReader {
  readonly #reading: SiteReading
  readonly texts = new Map<string, string>()

  constructor(reading: SiteReading) {
    this.#reading = reading
  }

  /** The export of code, or the whole of JSON or YAML; undefined if it cannot be read. */
  async read(file: string, exported = 'default'): Promise<LiteralNode | undefined> {
    if (!this.#reading.paths.has(file)) return undefined
    if (!/\.(?:jsonc?|ya?ml)$/i.test(file)) return (await this.#readCode(file)).exported(file, exported)
    const text = await this.#readText(file)
    if (text === null) return undefined
    return (/json/i.test(file.slice(-5)) ? readJsonLiterals : readYamlLiterals)(file, text) ?? undefined
  }

  async #readCode(file: string): Promise<CodeLiterals> {
    const modules = await readConfigModules(this.#reading, file, (_, path) => this.#readText(path))
    return new CodeLiterals(modules, this.texts)
  }

  async #readText(file: string): Promise<string | null> {
    const text = await readStoredText(this.#reading, file)
    if (text !== null) this.texts.set(file, text)
    return text
  }
}

/** A title that is the key of its entry. */
interface TitleKey {
  container: LiteralContainer
  field: LiteralField
}

/** What a format says about an entry. */
export interface EntryParts<Context> {
  title: LiteralText | TitleKey | string | null
  names?: readonly (PageName | null)[]
  lists?: readonly { node: LiteralNode | undefined; context: Context; trail?: readonly string[] }[]
}

/** How a format writes the entries of its lists. */
export interface EntryShape<Context> {
  /** @param field Null for an item of a list. */
  read(node: LiteralNode, context: Context, field: LiteralField | null): EntryParts<Context>
  write(page: PageToList, context: Context): NewElement | null
  writeGroup(title: string, pages: readonly PageToList[], context: Context): NewElement | null
}

const depthMax = 20

function readLabel(title: EntryParts<unknown>['title']): string | null {
  if (typeof title !== 'object' || title === null) return title
  return 'field' in title ? title.field.key : title.value
}

/** Reads a list or record, and the lists within its entries. Empty if there is nothing literal. */
export function readGroups<Context>(
  shape: EntryShape<Context>,
  { node, context, trail = [] }: { node: LiteralNode | undefined; context: Context; trail?: readonly string[] },
  depth = 0,
): NavigationGroup[] {
  const container = resolveLiteral(node)
  if (container === null || container.kind === 'text' || depth > depthMax) return []
  const elements =
    container.kind === 'list'
      ? container.items.map((value) => ({ value, field: null }))
      : container.fields.map((field) => ({ value: field.value, field }))
  const entries = elements.map(({ value, field }, index): NavigationEntry => {
    if (value.kind === 'code' && value.isSpread) {
      const groups = readGroups(shape, { node: value, context, trail }, depth + 1)
      return { index, title: null, titleNode: null, names: [], groups }
    }
    const { title, names = [], lists = [] } = shape.read(value, context, field)
    const label = readLabel(title)
    const inner = label === null ? trail : [...trail, label]
    return {
      index,
      title: label,
      titleNode: typeof title === 'object' ? title : null,
      names: names.filter((name) => name !== null),
      groups: lists.flatMap((list) => readGroups(shape, { trail: inner, ...list }, depth + 1)),
    }
  })
  return [
    {
      trail,
      container,
      entries,
      write: (page) => shape.write(page, context),
      writeGroup: (title, pages) => shape.writeGroup(title, pages, context),
    },
  ]
}

/** Where code makes entries of these lists. */
export function listComputed(
  nodes: readonly (LiteralNode | undefined)[],
  texts: ReadonlyMap<string, string>,
): { file: string; line: number }[] {
  const found: { file: string; line: number }[] = []
  const visit = (node: LiteralNode, depth: number): void => {
    if (depth > depthMax) return
    if (node.kind === 'list') for (const item of node.items) visit(item, depth + 1)
    else if (node.kind === 'record') {
      for (const { key, value } of node.fields) if (/^(?:items|sidebar|\/.*)$/.test(key)) visit(value, depth + 1)
    } else if (node.kind === 'code') {
      if (node.target !== null) return visit(node.target, depth + 1)
      const line = (texts.get(node.file) ?? '').slice(0, node.start).split('\n').length
      found.push({ file: node.file, line })
    }
  }
  for (const node of nodes) if (node !== undefined) visit(node, 0)
  return found
}

/** The redirects of a list of records with two such fields. */
export function listedRedirects(
  container: LiteralNode | undefined,
  [from, to]: readonly [from: string, to: string],
): RedirectPlace | null {
  const list = resolveLiteral(container)
  if (list?.kind !== 'list') return null
  const sources = list.items.map((item) => {
    const record = resolveLiteral(item)
    const field = record?.kind === 'record' ? record.fields.find(({ key }) => key === from) : undefined
    return field?.value.kind === 'text' ? field.value.value : ''
  })
  return {
    container: list,
    isNew: false,
    root: null,
    sources,
    sourceOf: ({ address }) => address,
    write: (source, target) => ({ value: { [from]: source.address, [to]: target.address } }),
  }
}
