import type { FileTree } from '../trees/file-tree.ts'
import { LoadedFiles } from './loaded-files.ts'
import { type PageFacts, readPageFacts } from './page-facts.ts'
import { type OutlinePage, outlineSite, type SiteOutline } from './site-outline.ts'

/** Files that pages can include. */
const snippetFile = /\.(?:mdx?|[jt]sx?)$/i

/** A site on one side of a change. Parses every page at most once. */
export class SiteState {
  readonly outline: SiteOutline
  readonly #facts = new Map<string, PageFacts>()
  /** The other side, whose results are reused for identical pages. */
  readonly #other: SiteState | null
  readonly #changed: ReadonlySet<string>
  /** Whether a file changed that other pages may include. */
  readonly #hasChangedSnippet: boolean

  /** @param changed Paths that differ from the other side. */
  constructor(outline: SiteOutline, other: SiteState | null, changed: ReadonlySet<string>) {
    this.outline = outline
    this.#other = other
    this.#changed = changed
    const routed = new Set([...outline.routes.values(), ...(other?.outline.routes.values() ?? [])])
    this.#hasChangedSnippet = [...changed].some((file) => snippetFile.test(file) && !routed.has(file))
  }

  async facts(page: OutlinePage): Promise<PageFacts> {
    const other = this.#hasChangedSnippet ? null : await this.#sameElsewhere(page)
    if (other !== null) return other.facts(page)
    const known = this.#facts.get(page.file)
    const facts = known ?? (await readPageFacts(page))
    this.#facts.set(page.file, facts)
    return facts
  }

  async #sameElsewhere({ file, path, body }: OutlinePage): Promise<SiteState | null> {
    if (this.#other === null || this.#changed.has(file)) return null
    const page = await this.#other.outline.page(file)
    return page !== null && page.path === path && page.body === body ? this.#other : null
  }
}

const states = new WeakMap<FileTree, Promise<SiteState>>()

/**
 * Returns the state before the change, cached for the life of the tree, because a job checks its change several times.
 */
export async function readStateBefore(tree: FileTree, signal: AbortSignal): Promise<SiteState> {
  const known = states.get(tree)
  if (known !== undefined) {
    // The check that started it may have been aborted; then start over.
    const state = await known.catch(() => null)
    signal.throwIfAborted()
    if (state !== null) return state
  }
  const outline = outlineSite(cacheTree(tree), new LoadedFiles(null, new Set()), signal)
  const state = outline.then((made) => new SiteState(made, null, new Set()))
  states.set(tree, state)
  state.catch(() => states.delete(tree))
  return state
}

/** Returns the state after a change, which reuses what is known of unchanged files. */
export async function readStateAfter(
  before: SiteState,
  { after, changed }: { after: FileTree; changed: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<SiteState> {
  const tree = reuseUnchangedFiles(after, before.outline.tree, changed)
  const loaded = new LoadedFiles(before.outline.loaded, changed)
  return new SiteState(await outlineSite(tree, loaded, signal), before, changed)
}

const keptBytesMax = 64 * 1024 * 1024
const keptFileBytesMax = 1024 * 1024

/** Caches the small files of a tree, so that reading the site again needs no I/O. */
function cacheTree(tree: FileTree): FileTree {
  const kept = new Map<string, Uint8Array>()
  let size = 0
  return {
    revision: tree.revision,
    paths: tree.paths,
    read: async (path) => {
      const known = kept.get(path)
      if (known !== undefined) return known
      const bytes = await tree.read(path)
      if (bytes.length <= keptFileBytesMax && size + bytes.length <= keptBytesMax && !kept.has(path)) {
        kept.set(path, bytes)
        size += bytes.length
      }
      return bytes
    },
  }
}

/** Reads unchanged files from `before` instead of `after`. */
function reuseUnchangedFiles(after: FileTree, before: FileTree, changed: ReadonlySet<string>): FileTree {
  const known = new Set(before.paths)
  return {
    revision: after.revision,
    paths: after.paths,
    read: (path) => (changed.has(path) || !known.has(path) ? after.read(path) : before.read(path)),
  }
}
