import { createHash } from 'node:crypto'
import type { FileTree } from '../content/file-tree.ts'
import { FindingList } from '../content/finding-list.ts'
import { docsJsonDialect } from '../content/page-dialect.ts'
import type { AroundFlatten, PageSource } from '../content/around-flatten.ts'
import type { SourceLibrary } from '../content/source-library.ts'
import type { ParsedPage, ParsedPages } from './parsed-pages.ts'

/** A page that an earlier try of the run did not come to the end of. */
export interface GivenUpPage {
  key: string
  /** A sentence for the owner of the site. */
  message: string
}

export interface ReusePagesDeps {
  tree: FileTree
  known: ParsedPages
  givenUp: readonly GivenUpPage[]
  /** Called around the work on a page that is not known, so that somebody outside can measure it. */
  onStart(page: { key: string; file: string }): void
  onEnd(): void
}

/**
 * Takes the pages that are known from earlier runs, and keeps those that are not.
 *
 * A page is known by its text. It is used again when every file that was looked for while it was made is as it was:
 * snippets, those that they take in, and files that were missed.
 */
export function createPageReuse(deps: ReusePagesDeps): AroundFlatten {
  const { tree, known } = deps
  const digests = new FileDigests(tree)
  const givenUp = new Map(deps.givenUp.map(({ key, message }) => [key, message]))
  return async (library, page, flatten) => {
    const key = keyOf(library, page)
    const message = givenUp.get(key)
    if (message !== undefined) {
      library.findings.add({ file: page.file, line: null, rule: 'page-given-up', message })
      return ''
    }
    const found = known.get(key)
    if (found !== null && (await digests.agree(found.dependencies))) {
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

/**
 * Other dialects resolve links by what they know of the whole site, so that their pages are known within one revision
 * alone: enough for a run that has to begin again.
 */
function keyOf({ tree, variables, dialect }: SourceLibrary, { file, path, body, bodyLine }: PageSource): string {
  const context = dialect === docsJsonDialect ? [...variables] : [...variables, tree.revision]
  const parts = [file, path, bodyLine, body, context]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

function replay(library: SourceLibrary, page: ParsedPage): string {
  for (const finding of page.findings) library.findings.add(finding)
  for (const file of page.imported) library.imported.add(file)
  return page.markdown
}

interface WatchInput {
  flatten: Parameters<AroundFlatten>[2]
  digests: FileDigests
}

/**
 * Flattens a page and notes what it looked at.
 *
 * Snippets are parsed for each page anew: one that was parsed for another page would leave no trace of what it takes in,
 * and a page that is kept must know exactly what it was made from.
 */
async function watch(library: SourceLibrary, { flatten, digests }: WatchInput): Promise<ParsedPage> {
  const looked = new LookedForPaths(library.paths)
  const findings = new FindingList()
  const imported = new Set<string>()
  const markdown = await flatten({ ...library, paths: looked, findings, imported, snippets: new Map() })
  return { markdown, findings: findings.list(), imported: [...imported], dependencies: await digests.of(looked.names) }
}

/**
 * The paths of a site, with a note of each that was asked for, there or not. Made for each page without a copy, because
 * sites have thousands of both.
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

  /** Whoever lists the paths depends on all of them. */
  override values(): SetIterator<string> {
    for (const path of this.#paths) this.names.add(path)
    return this.#paths.values()
  }

  override [Symbol.iterator](): SetIterator<string> {
    return this.values()
  }
}

/** Digests of a tree's files, each made once. */
class FileDigests {
  readonly #tree: FileTree
  readonly #paths: ReadonlySet<string>
  readonly #known = new Map<string, Promise<string | null>>()

  constructor(tree: FileTree) {
    this.#tree = tree
    this.#paths = new Set(tree.paths)
  }

  async of(paths: Iterable<string>): Promise<[string, string | null][]> {
    return Promise.all(
      [...paths].map(async (path): Promise<[string, string | null]> => [path, await this.#digest(path)]),
    )
  }

  async agree(dependencies: ParsedPage['dependencies']): Promise<boolean> {
    for (const [path, digest] of dependencies) if ((await this.#digest(path)) !== digest) return false
    return true
  }

  #digest(path: string): Promise<string | null> {
    const known = this.#known.get(path) ?? this.#make(path)
    this.#known.set(path, known)
    return known
  }

  async #make(path: string): Promise<string | null> {
    if (!this.#paths.has(path)) return null
    const bytes = await this.#tree.read(path).catch(() => null)
    return bytes === null ? 'unreadable' : createHash('sha256').update(bytes).digest('base64url')
  }
}
