import { hash } from 'node:crypto'
import type { FileTree } from '../../content/trees/file-tree.ts'
import { FindingList } from '../../content/finding-list.ts'
import { docsJsonDialect, type PageDialect } from '../../content/flatten/page-dialect.ts'
import {
  type AroundFlatten,
  type AroundLoad,
  type FlatPage,
  type PageHooks,
  type PageSource,
  type SourceLibrary,
  unreadPage,
} from '../../content/flatten/source-library.ts'
import type { ParsedPage, ParsedPages } from './parsed-pages.ts'

/** A page that an earlier attempt of the run failed to finish. */
export interface GivenUpPage {
  key: string
  /** A sentence for the owner of the site. */
  message: string
}

export interface ReusePagesDeps {
  tree: FileTree
  known: ParsedPages
  givenUp: readonly GivenUpPage[]
  /** Called around the work on each page that is not cached, so that it can be timed from outside. */
  onStart(page: { key: string; file: string }): void
  onEnd(): void
}

/**
 * Reuses pages that are cached from earlier runs, and caches the others.
 *
 * A page's file is identified by its content hash; if the source provides that, as git does, the file is not even read.
 * A cached page is valid if its text and everything else it was made from are unchanged: every file that was looked up
 * (snippets, nested snippets, missing files) and the targets of its links, which in most formats depend on all other
 * pages of the site.
 */
export function createPageReuse(deps: ReusePagesDeps): Required<PageHooks> {
  const digests = new FileDigests(deps.tree)
  const { remember } = deps.known
  return { aroundFlatten: reusePages(deps, digests), aroundLoad: reuseFiles(deps, digests), remember }
}

function reuseFiles({ known }: ReusePagesDeps, digests: FileDigests): AroundLoad {
  return async (library, file, load) => {
    const digest = await digests.find(file)
    if (digest === null || digest === unreadable) return load(library)
    const key = buildFileKey(file, digest)
    const found = known.useFile(key)
    if (found !== null) {
      for (const finding of found.findings) library.findings.add(finding)
      return found
    }
    const findings = new FindingList()
    const loaded = await load({ ...library, findings })
    for (const finding of findings.list()) library.findings.add(finding)
    if (loaded !== null) known.addFile(key, { ...loaded, findings: findings.list() })
    return loaded
  }
}

/** The cache key of a page's file. Findings name the file, so two files with the same content have different keys. */
export function buildFileKey(file: string, digest: string): string {
  return `${digest} ${file}`
}

function reusePages(deps: ReusePagesDeps, digests: FileDigests): AroundFlatten {
  const { known } = deps
  const givenUp = new Map(deps.givenUp.map(({ key, message }) => [key, message]))
  return async (library, page, flatten) => {
    const key = keyOf(library, page, known)
    const message = givenUp.get(key)
    if (message !== undefined) {
      library.findings.add({ file: page.file, line: null, rule: 'page-given-up', message })
      return unreadPage
    }
    const found = known.get(key)
    if (found !== null && leadsAlike(library, found) && (await digests.agree(found.dependencies))) {
      known.use(key, found)
      return replay(library, found)
    }
    deps.onStart({ key, file: page.file })
    const made = await watch(library, { flatten, digests })
    deps.onEnd()
    known.add(key, made)
    return replay(library, made)
  }
}

function keyOf({ variables, dialect }: SourceLibrary, page: PageSource, known: ParsedPages): string {
  const { file, path, body, bodyLine } = page
  const parts = [dialect.name, file, path, bodyLine, known.digest(body), [...variables]]
  return hash('sha256', JSON.stringify(parts), 'base64url')
}

/** Whether every link of a page still has the same target. */
function leadsAlike({ dialect }: SourceLibrary, { links }: ParsedPage): boolean {
  return links.every(([url, file, path, target]) => dialect.resolveLink(url, { file, path }) === target)
}

function replay(library: SourceLibrary, page: ParsedPage): FlatPage {
  for (const finding of page.findings) library.findings.add(finding)
  for (const file of page.imported) library.imported.add(file)
  return page
}

interface WatchInput {
  flatten: Parameters<AroundFlatten>[2]
  digests: FileDigests
}

/**
 * Flattens a page and records its dependencies.
 *
 * Snippets are parsed for each page, because one parsed for another page would leave no record of its own dependencies.
 */
async function watch(library: SourceLibrary, { flatten, digests }: WatchInput): Promise<ParsedPage> {
  const looked = new LookedForPaths(library.paths)
  const findings = new FindingList()
  const imported = new Set<string>()
  const { dialect, links } = watchLinks(library.dialect)
  const watched = { ...library, dialect, paths: looked, findings, imported, snippets: new Map() }
  const flat = await flatten(watched)
  return {
    ...flat,
    findings: findings.list(),
    imported: [...imported],
    dependencies: await digests.of(looked.names),
    links: [...links.values()],
  }
}

/** In docs.json a link has the same target whatever other pages exist, so nothing needs to be recorded. */
function watchLinks(dialect: PageDialect): { dialect: PageDialect; links: Map<string, ParsedPage['links'][number]> } {
  const links = new Map<string, ParsedPage['links'][number]>()
  if (dialect.resolveLink === docsJsonDialect.resolveLink) return { dialect, links }
  const resolveLink: PageDialect['resolveLink'] = (url, from) => {
    const target = dialect.resolveLink(url, from)
    links.set(JSON.stringify([url, from]), [url, from.file, from.path, target])
    return target
  }
  return { dialect: { ...dialect, resolveLink }, links }
}

/**
 * The paths of a site, recording each lookup, successful or not. A view per page instead of a copy, because sites have
 * thousands of both.
 */
class LookedForPaths extends Set<string> {
  readonly names = new Set<string>()
  readonly #paths: ReadonlySet<string>

  constructor(paths: ReadonlySet<string>) {
    super()
    this.#paths = paths
  }

  override has(path: string): boolean {
    this.names.add(path)
    return this.#paths.has(path)
  }

  /** Listing the paths creates a dependency on all of them. */
  override values(): SetIterator<string> {
    for (const path of this.#paths) this.names.add(path)
    return this.#paths.values()
  }

  override [Symbol.iterator](): SetIterator<string> {
    return this.values()
  }
}

/** Used in place of a digest. */
const unreadable = 'unreadable'

/** Digests of a tree's files, each computed once. */
class FileDigests {
  readonly #tree: FileTree
  readonly #paths: ReadonlySet<string>
  readonly #known = new Map<string, Promise<string | null>>()

  constructor(tree: FileTree) {
    this.#tree = tree
    this.#paths = new Set(tree.paths)
  }

  async of(paths: Iterable<string>): Promise<[string, string | null][]> {
    return Promise.all([...paths].map(async (path): Promise<[string, string | null]> => [path, await this.find(path)]))
  }

  async agree(dependencies: ParsedPage['dependencies']): Promise<boolean> {
    for (const [path, digest] of dependencies) if ((await this.find(path)) !== digest) return false
    return true
  }

  /** Null if the file does not exist. */
  find(path: string): Promise<string | null> {
    const known = this.#known.get(path) ?? this.#make(path)
    this.#known.set(path, known)
    return known
  }

  async #make(path: string): Promise<string | null> {
    if (!this.#paths.has(path)) return null
    const id = this.#tree.idOf?.(path) ?? null
    if (id !== null) return id
    const bytes = await this.#tree.read(path).catch(() => null)
    return bytes === null ? unreadable : hash('sha256', bytes, 'base64url')
  }
}
