import type { FileTree } from '../trees/file-tree.ts'
import { FindingList } from '../finding-list.ts'
import type { SiteReading } from '../site-reading.ts'
import {
  applySplices,
  type LiteralField,
  type LiteralNode,
  type LiteralText,
  resolveLiteral,
  type Splice,
} from './literal-node.ts'
import { findGroupsTitled, findPlace, listEntries, type FoundEntry, type TitledEntry } from './find-entries.ts'
import type { NavigationChange, NavigationOutcome } from './navigation-change.ts'
import {
  LiteralReader,
  type NavigationEntry,
  type NavigationGroup,
  type NavigationReader,
  type NavigationSite,
  type PageToList,
  type RedirectEnd,
  type SiteNavigation,
} from './site-navigation.ts'
import { insertElement, removeElement, replaceKey, replaceLiteral } from './splice-literals.ts'

export interface SiteToNavigate {
  /** The files, with the change that the navigation follows. */
  tree: FileTree
  format: { label: string; readEntries?: NavigationReader }
  root: string
  routes: ReadonlyMap<string, string>
  addresses: ReadonlyMap<string, string>
  /** The title of a page, for its entry. */
  titleOf(file: string): Promise<string>
}

/** Maximum number of entries for one page. */
const entriesMax = 100

/** Reads the navigation as it is written; null if the format has none that can be edited. */
export async function readNavigationOf(site: SiteToNavigate): Promise<SiteNavigation | null> {
  return (await new NavigationEditor(site).read())?.navigation ?? null
}

/**
 * Changes literal entries of a site's navigation and redirects, and nothing else of the files. What code makes stays as
 * it is and is named in the outcome.
 */
export async function editNavigation(site: SiteToNavigate, change: NavigationChange): Promise<NavigationOutcome> {
  const editor = new NavigationEditor(site)
  await editor.apply(change)
  return { files: editor.files, notes: editor.notes, refusal: editor.refusal }
}

interface OpenNavigation {
  navigation: SiteNavigation
  texts: ReadonlyMap<string, string>
}

/** Reads the files anew after each step, so that no offset is ever stale. */
class NavigationEditor {
  readonly #site: SiteToNavigate
  readonly files = new Map<string, string>()
  readonly notes: string[] = []
  refusal: string | null = null

  constructor(site: SiteToNavigate) {
    this.#site = site
  }

  async read(): Promise<OpenNavigation | null> {
    const { tree, format, root, routes, addresses } = this.#site
    const { files } = this
    const changed: FileTree = {
      revision: tree.revision,
      paths: tree.paths,
      read: async (path) => {
        const text = files.get(path)
        return text === undefined ? tree.read(path) : new TextEncoder().encode(text)
      },
    }
    const reading: SiteReading = {
      tree: changed,
      paths: new Set(tree.paths),
      findings: new FindingList(),
      options: {},
      hooks: {},
      isIgnored: () => false,
      canBeNamed: () => true,
    }
    const literals = new LiteralReader(reading)
    const site: NavigationSite = { reading, root, routes, addresses, literals }
    const navigation = await format.readEntries?.(site)
    return navigation === undefined ? null : { navigation, texts: literals.texts }
  }

  async apply(change: NavigationChange): Promise<void> {
    const open = await this.read()
    if (open === null) {
      this.refusal = `The navigation of ${this.#site.format.label} is not written in files that can be edited.`
      return
    }
    switch (change.action) {
      case 'add':
        return this.#add(open, change)
      case 'move':
        return this.#move(open, change)
      case 'remove':
        return this.#remove(open, change.page)
      case 'title':
        return this.#retitle(open, change)
      case 'follow':
        return this.#follow(change)
      case 'redirect':
        return this.#redirect(open, this.#endOf(change.from), this.#endOf(change.to), change.anchor)
    }
  }

  async #add(open: OpenNavigation, change: Extract<NavigationChange, { action: 'add' }>): Promise<void> {
    const { page, title } = change
    if (listEntries(open.navigation, page).length > 0) {
      this.notes.push(`${page} is in the navigation already.`)
      return
    }
    const isPlaced = change.group !== undefined || change.after !== undefined || change.before !== undefined
    const automatic = open.navigation.describeAutomatic(page)
    if (automatic !== null && !isPlaced) {
      this.notes.push(automatic)
      return
    }
    await this.#insert(open, { file: page, title: title ?? (await this.#site.titleOf(page)) }, change)
  }

  async #insert(
    open: OpenNavigation,
    page: PageToList,
    change: Extract<NavigationChange, { action: 'add' | 'move' }>,
  ): Promise<void> {
    const place = findPlace(open.navigation, page, change)
    if ('refusal' in place) {
      const automatic = describeAutomaticPlace(open, page.file)
      this.refusal = `${place.refusal}${automatic === null ? '' : ` ${automatic}`}${this.#nameComputed(open)}`
      return
    }
    const { group, index, element } = place
    const { file } = group.container
    const reason = describeFixed(group.container)
    if (reason !== null) {
      this.#undo(`${reason}${this.#nameComputed(open)}`)
      return
    }
    this.#write(open, file, insertElement(textIn(open, file), group.container, index, element))
    const after = await this.read()
    if (after === null || listEntries(after.navigation, page.file).length === 0) {
      this.#undo(`${file} could not be changed so that it names ${page.file}. A person has to add the entry.`)
      return
    }
    const where = group.trail.length === 0 ? '' : `, under ${group.trail.join(' > ')}`
    this.notes.push(`${page.file} is named in ${file}${where}.`)
  }

  async #move(open: OpenNavigation, change: Extract<NavigationChange, { action: 'move' }>): Promise<void> {
    const [entry] = listEntries(open.navigation, change.page)
    if (entry === undefined) {
      const advice = describeAutomaticPlace(open, change.page) ?? 'Add it instead.'
      this.refusal = `${change.page} is not named in the navigation. ${advice}`
      return
    }
    await this.#remove(open, change.page)
    const title = entry.entry.title ?? (await this.#site.titleOf(change.page))
    if (this.refusal !== null) return
    const next = await this.read()
    if (next !== null) await this.#insert(next, { file: change.page, title }, change)
    if (this.refusal !== null) this.#undo(this.refusal)
  }

  async #remove(open: OpenNavigation, page: string): Promise<void> {
    let now: OpenNavigation | null = open
    for (let count = 0; now !== null && count < entriesMax; count++) {
      const [found]: FoundEntry[] = listEntries(now.navigation, page)
      if (found === undefined) break
      const { container } = found.group
      if (isSpread(container)) return this.#undo(describeFixed(container) ?? '')
      this.#write(now, container.file, this.#removal(now, found))
      this.notes.push(`${page} was taken out of ${container.file}.`)
      now = await this.read()
    }
    if (this.notes.length === 0) this.notes.push(`${page} is not named in the navigation.${this.#nameComputed(open)}`)
  }

  /** A group that names the page as its own start stays without one. */
  #removal(open: OpenNavigation, { group, entry, name }: FoundEntry): Splice[] {
    const { container } = group
    const element = container.kind === 'list' ? container.items[entry.index] : undefined
    const record = entry.groups.length === 0 ? null : resolveLiteral(element)
    const field = record?.kind === 'record' ? record.fields.findIndex(({ value }) => holds(value, name.node)) : -1
    const holder = record?.kind === 'record' && field !== -1 ? { container: record, index: field } : null
    const { container: from, index } = holder ?? { container, index: entry.index }
    return removeElement(textIn(open, from.file), from, index)
  }

  async #retitle(open: OpenNavigation, change: Extract<NavigationChange, { action: 'title' }>): Promise<void> {
    const { page, group, title } = change
    const found =
      page === undefined
        ? findGroupsTitled(open.navigation, group ?? '')
        : listEntries(open.navigation, page).map(({ group: list, entry: own }) => ({ list, entry: own }))
    if (page === undefined && found.length > 1) {
      const trails = found.map(({ list, entry: own }) => [...list.trail, own.title ?? ''].join(' > '))
      this.refusal = `Several groups have the title "${group ?? ''}": ${[...new Set(trails)].slice(0, 12).join('; ')}. Name one with the groups around it.`
      return
    }
    const [first] = found
    const entry = first?.entry
    const node = entry?.titleNode ?? null
    if (node === null) {
      const what = page ?? `the group "${group ?? ''}"`
      this.refusal = `The navigation has no title for ${what} that can be changed. A page without one is listed by the title in its frontmatter.`
      return
    }
    if (first !== undefined && !isOfEntry(first, node)) {
      this.refusal = `The title stands apart from its entry in the navigation, and other code may use it. A person has to change it.`
      return
    }
    const { file } = 'field' in node ? node.container : node
    const text = textIn(open, file)
    const splice =
      'field' in node ? replaceKey(text, node.container, node.field, title) : replaceLiteral(text, node, title)
    this.#write(open, file, [splice])
    this.notes.push(`The title in ${file} is now "${title}".`)
  }

  async #follow({ page, to, isRedirected }: Extract<NavigationChange, { action: 'follow' }>): Promise<void> {
    const done = new Set<string>()
    for (let count = 0; count < entriesMax; count++) {
      const open = await this.read()
      const found = open && listEntries(open.navigation, page).find(({ name }) => !done.has(keyOf(name.node)))
      if (open === null || found === null || found === undefined) break
      done.add(keyOf(found.name.node))
      this.#rename(open, found, to)
    }
    const open = await this.read()
    if (open !== null && isRedirected) await this.#redirect(open, this.#endOf(page), this.#endOf(to))
  }

  #rename(open: OpenNavigation, { group, name, entry }: FoundEntry, to: string): void {
    const { file } = group.container
    const written = name.write(to)
    if (written === null) {
      this.#write(open, file, removeElement(textIn(open, file), group.container, entry.index))
      this.notes.push(`${to} cannot be named in the same list of ${file}, so its entry was taken out.`)
      return
    }
    const splice =
      'key' in name.node
        ? replaceKey(textIn(open, file), group.container, name.node, written)
        : replaceLiteral(textIn(open, name.node.file), name.node, written)
    this.#write(open, splice.file, [splice])
  }

  #endOf(file: string): RedirectEnd {
    const isAddress = file.startsWith('/')
    const { addresses, routes } = this.#site
    return isAddress
      ? { address: file, file: routes.get(file) ?? file.slice(1) }
      : { file, address: addresses.get(file) ?? `/${file}` }
  }

  async #redirect(open: OpenNavigation, from: RedirectEnd, to: RedirectEnd, anchor = ''): Promise<void> {
    const { redirects } = open.navigation
    if (from.address === to.address) return
    const target = { file: to.file + anchor, address: to.address + anchor }
    const shown = `from ${from.address} to ${target.address}`
    if (typeof redirects === 'string') {
      this.notes.push(`There is no redirect ${shown}. ${redirects}`)
      return
    }
    // A page that moves back would be redirected away from itself.
    const back = redirects.sources.lastIndexOf(redirects.sourceOf(to))
    const { container, sources, sourceOf } = redirects
    if (back !== -1) {
      this.#write(open, container.file, removeElement(textIn(open, container.file), container, back))
      const next = await this.read()
      return next === null ? undefined : this.#redirect(next, from, to, anchor)
    }
    const element = sources.includes(sourceOf(from)) ? null : redirects.write(from, target)
    if (element === null) return
    const { length } = container.kind === 'list' ? container.items : container.fields
    this.#write(open, container.file, insertElement(textIn(open, container.file), container, length, element))
    this.notes.push(`Readers are redirected ${shown} by ${container.file}.`)
  }

  #write(open: OpenNavigation, file: string, splices: readonly Splice[]): void {
    this.files.set(file, applySplices(textIn(open, file), splices))
  }

  #undo(reason: string): void {
    this.files.clear()
    this.notes.length = 0
    this.refusal = reason
  }

  #nameComputed({ navigation }: OpenNavigation): string {
    const places = navigation.computed.slice(0, 5).map(({ file, line }) => `${file} line ${line}`)
    return places.length === 0
      ? ''
      : ` A part of the navigation is made by code, which only people can change: ${places.join(', ')}.`
  }
}

/** Fields of a spread record stand elsewhere, so that positions among them are not positions in the text. */
function isSpread(container: NavigationGroup['container']): boolean {
  const { start, end } = container
  return (
    container.kind === 'record' &&
    (container.others ?? []).length > 0 &&
    container.fields.some((field) => field.start < start || field.end > end || field.value.file !== container.file)
  )
}

/** Why nothing can be put into a list or record; null if something can. */
function describeFixed(container: NavigationGroup['container']): string | null {
  if (isSpread(container)) return `${container.file} spreads other entries into this list. A person has to change it.`
  if (container.kind === 'list' && container.isShared === true)
    return `A function in ${container.file} makes this list for each of its calls. A person has to add the entry.`
  return null
}

/** Why a page that is listed by itself has no entry, and what its place depends on; null if it is not. */
function describeAutomaticPlace({ navigation }: OpenNavigation, page: string): string | null {
  const automatic = navigation.describeAutomatic(page)
  return automatic === null ? null : `${automatic} Its place follows from its file name and its frontmatter.`
}

function textIn({ texts }: OpenNavigation, file: string): string {
  return texts.get(file) ?? ''
}

/** Whether a title is written where its entry is, rather than named there. */
function isOfEntry({ list, entry }: TitledEntry, node: NonNullable<NavigationEntry['titleNode']>): boolean {
  if ('field' in node || list.container.kind === 'record') return true
  const element = list.container.items[entry.index]
  return element !== undefined && element.file === node.file && holds(element, node)
}

const keyOf = ({ start }: LiteralText | LiteralField) => String(start)

const holds = (outer: LiteralNode, { start, end }: LiteralText | LiteralField) =>
  outer.start <= start && outer.end >= end
