import { posix } from 'node:path'
import type { AroundFlatten } from '../../content/flatten/source-library.ts'
import { chunkPage } from '../../content/pages/chunk-page.ts'
import { readSampleKnowledge } from '../../content/samples/read-sample-knowledge.ts'
import { FindingList } from '../../content/finding-list.ts'
import type { FileTree } from '../../content/trees/file-tree.ts'
import { readSite } from '../../content/read-site.ts'
import type { Finding, SiteContent, SitePage } from '../../content/site-page.ts'
import { readPathHistory, unknownHistory } from '../../git/commits/path-history.ts'
import { findGitDirectory } from '../../git/trees/commit-tree.ts'
import { buildIndexFile } from '../../search/index-file/build-index-file.ts'
import { nameByDigest } from '../../search/index-file/index-digest.ts'
import type { IndexHeader } from '../../search/search-query.ts'
import { noGuidance, type SiteGuidance } from '../../store/sites/index-guidance.ts'
import type { IndexRunProgress } from '../../store/sites/index-runs.ts'
import type { SiteSource } from '../../store/sites/sites.ts'
import { nameContentCode } from './content-code.ts'
import { describeReading, type SiteReading } from '../describe-reading.ts'
import { describeSite } from '../describe-site.ts'
import { type OpenTree, openSourceTree } from '../sources/open-source-tree.ts'
import { findDiscrepancies, type SiteDiscrepancies } from '../find-discrepancies.ts'
import { ParsedPages } from './parsed-pages.ts'
import { findIcon } from './find-icon.ts'
import { keepImages, readImages } from './read-images.ts'
import { redirectMoves } from './redirect-moves.ts'
import { readGuidance } from '../read-guidance.ts'
import { preloadPages } from './preload-pages.ts'
import { createPageReuse, buildFileKey, type GivenUpPage } from './reuse-parsed-pages.ts'

export interface IndexSiteInput {
  /** On this machine: a remote repository is fetched first, and its mirror read. */
  source: SiteSource
  /** Where readers find the site; null if unknown. */
  siteUrl: string | null
  /** Temporary path of the index file, until it is renamed to its digest; written completely or not at all. */
  file: string
  /** The index served now, whose rows of unchanged pages are reused. Null: analyze everything. */
  previousFile: string | null
  /** Cache of the site's parsed pages. */
  parsedFile: string
  /** Pages that an earlier attempt of this run failed to finish: left empty, with a finding. */
  givenUp: readonly GivenUpPage[]
  /** Whether its files may instruct the assistant. Those of a crawled site never may, whatever their names. */
  isWrittenByOwner: boolean
  /** The revision served now; an unchanged revision needs no new index. */
  currentRevision: string | null
}

export interface IndexSiteOptions {
  signal: AbortSignal
  onProgress(progress: IndexRunProgress): void
  /** Called once, when the source is open. */
  onRevision(revision: string): void
  onPageStarted(page: { key: string; file: string }): void
  onPageEnded(): void
}

export interface IndexSiteDeps {
  /** Wraps the parsing of each page that is not cached. */
  aroundFlatten?: AroundFlatten
}

export type IndexSiteResult =
  | { outcome: 'unchanged' }
  /** `file` is the name of the index file in its folder. */
  | {
      outcome: 'indexed'
      file: string
      header: IndexHeader
      findings: Finding[]
      guidance: SiteGuidance
      reading: SiteReading
      discrepancies: SiteDiscrepancies
      /** Path of the site's icon among the images of the index; null if it has none. */
      icon: string | null
    }

/**
 * Reads a site's source and builds its index file: files → pages → chunks → file. Pages that are unchanged since an
 * earlier run are not parsed again.
 *
 * Runs in its own process (`index-site-worker.ts`), because parsing and building are CPU-bound and must not delay
 * answers.
 *
 * @throws {Error} when the source cannot be read or contains no page; then there is no file at `file`.
 */
export async function indexSite(
  input: IndexSiteInput,
  options: IndexSiteOptions,
  deps: IndexSiteDeps = {},
): Promise<IndexSiteResult> {
  const opened = await openSourceTree(input.source, options.signal)
  const { tree, folder, findings, close } = opened
  try {
    options.onRevision(tree.revision)
    if (tree.revision === input.currentRevision) return { outcome: 'unchanged' }
    const code = nameContentCode()
    const known = new ParsedPages(input.parsedFile, code)
    const site = await readPages(tree, { input, options, deps, folder, known })
    const pageCount = site.pages.length
    if (pageCount === 0) {
      const [finding] = [...findings, ...site.findings.filter(({ rule }) => rule === 'folder-outside')]
      if (finding !== undefined) throw new Error(`No pages found on the site. ${finding.message}`)
      throw new Error('No pages found in the source. Check that its folder contains docs.json or Markdown files.')
    }
    options.onProgress({ step: 'building', pagesDone: pageCount, pagesTotal: pageCount })
    const unshown = new FindingList()
    const images = await readImages(tree, site.pages, unshown)
    const icon = await findIcon(tree, folder)
    const pages = site.pages.map((page) => placePage(keepImages(page, images), opened))
    const { movedTo, changedAt } = await readPast(input.source, opened, options.signal)
    const header = buildIndexFile(input.file, {
      header: describeSite(site, tree.revision),
      pages,
      images: icon === null ? images : new Map([...images, [icon.path, icon.bytes]]),
      chunkPage,
      chunker: code,
      redirects: [...(site.redirects ?? []), ...redirectMoves({ ...site, pages }, movedTo)],
      changedAt,
      ...(input.previousFile === null ? {} : { previous: input.previousFile }),
    })
    const file = await nameByDigest(input.file)
    const told = input.isWrittenByOwner ? await readGuidance(tree, folder) : { guidance: noGuidance, findings: [] }
    const discrepancies = findDiscrepancies(site.pages, await readSampleKnowledge(tree, site.pages), known.remember)
    known.finish()
    return {
      outcome: 'indexed',
      file,
      header,
      findings: [...findings, ...told.findings, ...site.findings, ...unshown.list()],
      guidance: told.guidance,
      reading: describeReading(site),
      discrepancies,
      icon: icon?.path ?? null,
    }
  } finally {
    await close()
  }
}

/** Names a page's file by its path in the source, where it can be looked up at the revision. */
function placePage({ source, ...page }: SitePage, { tree, folder, root }: OpenTree): SitePage {
  if (source === undefined || root === null) return page
  const path = posix.join(folder, page.file)
  return { ...page, source, file: posix.join(root, tree.targetOf?.(path) ?? path) }
}

/** Empty for a source that is not a repository. */
async function readPast({ kind, location }: SiteSource, { tree, root }: OpenTree, signal: AbortSignal) {
  if (kind !== 'git' || root === null) return unknownHistory
  const gitDirectory = await findGitDirectory(location)
  const paths = tree.paths.map((path) => posix.join(root, path))
  return readPathHistory({ gitDirectory, commit: tree.revision, folder: root, paths }, signal)
}

interface ReadPagesInput {
  input: IndexSiteInput
  options: IndexSiteOptions
  deps: IndexSiteDeps
  folder: string
  known: ParsedPages
}

async function readPages(
  source: FileTree,
  { input, options, deps, folder, known }: ReadPagesInput,
): Promise<SiteContent> {
  const tree = await preloadPages(source, (path) => {
    const id = source.idOf?.(path) ?? null
    return id === null || !known.hasFile(buildFileKey(path, id))
  })
  const reuse = createPageReuse({
    tree,
    known,
    givenUp: input.givenUp,
    onStart: (page) => options.onPageStarted(page),
    onEnd: () => options.onPageEnded(),
  })
  const { aroundFlatten } = deps
  return readSite(tree, {
    signal: options.signal,
    folder,
    siteUrl: input.siteUrl,
    onProgress: (pagesDone, pagesTotal) => options.onProgress({ step: 'reading', pagesDone, pagesTotal }),
    aroundFlatten:
      aroundFlatten === undefined
        ? reuse.aroundFlatten
        : (library, page, flatten) =>
            reuse.aroundFlatten(library, page, (watched) => aroundFlatten(watched, page, flatten)),
    aroundLoad: reuse.aroundLoad,
    remember: reuse.remember,
  })
}
