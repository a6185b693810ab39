import { reportMissingPage } from '../../finding-list.ts'
import { buildPage, isPartOfSite } from '../../pages/build-page.ts'
import { loadPageFile, type PageFile, readPageMarkdown } from '../../pages/load-page.ts'
import { joinBlocks } from '../../markdown/markdown-writing.ts'
import { type NavigationEntry, type NavigationPlace, topPlace } from '../../pages/navigation-entry.ts'
import { OpenApiLibrary } from '../../openapi/openapi-library.ts'
import {
  type OperationPagesContext,
  readFrontmatterOperation,
  readOperationPages,
} from '../../openapi/operation-pages.ts'
import type { Navigation } from './read-navigation.ts'
import type { SitePage } from '../../site-page.ts'
import { reportTooManyPages, sitePagesMax, type SiteReading } from '../../site-reading.ts'
import type { SourceLibrary } from '../../flatten/source-library.ts'
import { isPageFile, pagePathOf, resolveSourcePath, deriveTitle } from '../../trees/source-path.ts'

export interface NavigationPagesOptions {
  configFile: string
  texts: ReadonlyMap<string, string>
  indexing: 'navigable' | 'all'
  navigation: Navigation
}

/** Turns navigation entries into pages in navigation order, each once per version and language. */
export class NavigationPages {
  readonly #reading: SiteReading
  readonly #library: SourceLibrary
  readonly #options: NavigationPagesOptions
  /** Page files by path without extension. */
  readonly #files = new Map<string, string>()
  readonly #used = new Set<string>()
  readonly #operations: OperationPagesContext
  readonly #pages = new Map<string, SitePage>()

  constructor(reading: SiteReading, library: SourceLibrary, options: NavigationPagesOptions) {
    this.#reading = reading
    this.#library = library
    this.#options = options
    this.#operations = {
      library,
      specs: new OpenApiLibrary(library, reading.isIgnored),
      configFile: options.configFile,
      indexing: options.indexing,
      requiresSignIn: reading.options.requiresSignIn ?? false,
    }
    for (const file of reading.tree.paths) {
      if (!isPageFile(file) || !reading.canBeNamed(file) || file.startsWith('snippets/')) continue
      const name = nameOf(file)
      // MDX wins over Markdown of the same name.
      if (!this.#files.has(name) || file.endsWith('.mdx')) this.#files.set(name, file)
    }
  }

  async read(): Promise<SitePage[]> {
    const { signal, onProgress } = this.#reading.options
    const { entries } = this.#options.navigation
    const extra = this.#options.indexing === 'all' ? this.#files.size : 0
    for (const [index, entry] of entries.entries()) {
      signal?.throwIfAborted()
      await this.#readEntry(entry)
      onProgress?.(index + 1, entries.length + extra)
    }
    if (this.#options.indexing === 'all') await this.#readUnlisted()
    onProgress?.(entries.length + extra, entries.length + extra)
    return [...this.#pages.values()].map((page, order) => ({ ...page, order }))
  }

  async #readEntry(entry: NavigationEntry): Promise<void> {
    if (entry.kind !== 'page') {
      for (const page of await readOperationPages(this.#operations, entry)) this.#add(page)
      return
    }
    const name = nameOf(entry.target)
    const file = this.#files.get(name) ?? this.#files.get(name === '' ? 'index' : `${name}/index`)
    if (file === undefined) {
      const isFile = this.#library.paths.has(resolveSourcePath('', entry.target) ?? '')
      if (!entry.isOptional && !isFile) this.#reportMissing(entry.target)
      return
    }
    await this.#readFile(file, entry.place, true)
  }

  async #readUnlisted(): Promise<void> {
    for (const [name, file] of this.#files) {
      this.#reading.options.signal?.throwIfAborted()
      if (this.#used.has(file) || this.#reading.isIgnored(file)) continue
      const [first = ''] = name.split('/')
      const language = this.#options.navigation.languages.has(first) ? first : this.#options.navigation.defaultLanguage
      await this.#readFile(file, { ...topPlace, language }, false)
    }
    for (const [key, page] of this.#pages) {
      if (this.#library.imported.has(page.file) && !this.#used.has(page.file)) this.#pages.delete(key)
    }
  }

  async #readFile(file: string, place: NavigationPlace, isInNavigation: boolean): Promise<void> {
    if (isInNavigation) this.#used.add(file)
    const path = pagePathOf(file)
    if (this.#pages.has(keyOf({ ...place, path }))) return
    const loaded = await loadPageFile(this.#library, file, this.#library.variables)
    if (loaded === null || loaded.frontmatter.url !== undefined) return
    const page = await this.#makePage(loaded, path, place, isInNavigation)
    if (page !== null) this.#add(page)
  }

  /** The first page at a path wins. */
  #add(page: SitePage): void {
    const key = keyOf(page)
    if (this.#pages.has(key)) return
    if (this.#pages.size >= sitePagesMax) reportTooManyPages(this.#reading, this.#options.configFile)
    else this.#pages.set(key, page)
  }

  async #makePage(
    loaded: PageFile,
    path: string,
    place: NavigationPlace,
    isInNavigation: boolean,
  ): Promise<SitePage | null> {
    const { file, frontmatter } = loaded
    const requiresSignIn = this.#reading.options.requiresSignIn ?? false
    const settings = { place, frontmatter, isInNavigation, indexing: this.#options.indexing, requiresSignIn }
    if (!isPartOfSite(settings)) return null
    const operation = await readFrontmatterOperation(this.#operations, { file, frontmatter, place })
    const title = frontmatter.title ?? operation.title ?? deriveTitle(file)
    const own = await readPageMarkdown(this.#library, loaded, path, title)
    const markdown = joinBlocks([
      frontmatter.deprecated === true ? '**Deprecated**' : '',
      own.markdown,
      operation.markdown,
    ])
    const description = frontmatter.description ?? operation.description
    const apiFile = operation.apiFile === null ? {} : { apiFile: operation.apiFile }
    return buildPage({ path, file, title, description, markdown, order: 0, ...apiFile }, settings)
  }

  #reportMissing(target: string): void {
    const [file, line] = findLine(this.#options, target)
    reportMissingPage(this.#reading.findings, { file, line, holder: 'The navigation', target })
  }
}

function keyOf(page: Pick<SitePage, 'version' | 'language' | 'path'>): string {
  return JSON.stringify([page.version, page.language, page.path])
}

/** Normalizes `/guides/install.mdx` and `guides/install` to the same name. */
function nameOf(target: string): string {
  return (resolveSourcePath('', target) ?? '').replace(/\.mdx?$/i, '')
}

function findLine(options: NavigationPagesOptions, target: string): [file: string, line: number | null] {
  const quoted = JSON.stringify(target)
  for (const [file, text] of options.texts) {
    const position = text.indexOf(quoted)
    if (position !== -1) return [file, text.slice(0, position).split('\n').length]
  }
  return [options.configFile, null]
}
