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
import { redirectMoves } from './redirect-moves.ts'
import { readGuidance } from '../read-guidance.ts'
import { createPageReuse, buildFileKey, type GivenUpPage } from './reuse-parsed-pages.ts'
import { isLfsPointer } from '../../git/trees/lfs-pointer.ts'
import type { SiteRule } from '../../content/finding-rules.ts'

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
      digest: (text) => known.digest(text),
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

/** Bounds the memory for files read ahead. */
const bytesMax = 64 * 1024 * 1024

const readsAtOnce = 32

/**
 * Wraps a tree to read page files ahead, many at once: read one by one, waiting for the disk takes longer than the rest
 * of a run in which most pages are cached.
 *
 * @param isNeeded Whether a file will be read at all.
 * @returns The same tree; preloaded files stay in memory as long as it does.
 */
async function preloadPages(tree: FileTree, isNeeded: (path: string) => boolean): Promise<FileTree> {
  const held = new Map<string, Uint8Array>()
  let bytes = 0
  const next = tree.paths.filter((path) => /\.mdx?$/i.test(path) && isNeeded(path)).values()
  const work = async () => {
    for (const path of next) {
      if (bytes > bytesMax) return
      // The later read reports why the file is unreadable.
      const content = await tree.read(path).catch(() => null)
      if (content === null) continue
      bytes += content.byteLength
      held.set(path, content)
    }
  }
  await Promise.all(Array.from({ length: readsAtOnce }, work))
  return {
    ...tree,
    read: (path) => {
      const content = held.get(path)
      return content === undefined ? tree.read(path) : Promise.resolve(content)
    },
  }
}

/** Larger ones are photos that were never scaled down. */
const imageBytesMax = 2 * 1024 * 1024
/** Of all images of a site: they are part of each generation of its index. */
const siteBytesMax = 64 * 1024 * 1024

/**
 * Reads the images that public pages show; of those of other pages, readers get the alternative text.
 *
 * @param findings Gets the images that are left out.
 * @returns By path in the tree.
 */
async function readImages(
  tree: FileTree,
  pages: readonly SitePage[],
  findings: FindingList,
): Promise<Map<string, Uint8Array>> {
  const images = new Map<string, Uint8Array>()
  let total = 0
  for (const file of listPublicImages(pages)) {
    const report = (rule: SiteRule, message: string) => findings.add({ file, line: null, rule, message })
    const bytes = await tree.read(file).catch(() => null)
    if (bytes === null || isLfsPointer(bytes))
      report('image-unreadable', 'The image cannot be read, so pages show its text instead.')
    else if (bytes.byteLength > imageBytesMax)
      report(
        'image-too-large',
        `The image is larger than ${imageBytesMax} bytes, so pages show its text instead. Scale it down.`,
      )
    else if (total + bytes.byteLength > siteBytesMax) {
      report(
        'images-too-large',
        `The images of the site are larger than ${siteBytesMax} bytes together, so this one and those of later pages are left out. Scale them down.`,
      )
      break
    } else {
      images.set(file, bytes)
      total += bytes.byteLength
    }
  }
  return images
}

function listPublicImages(pages: readonly SitePage[]): Set<string> {
  const shown = pages.filter(({ isPublic }) => isPublic).flatMap(({ images = [] }) => images)
  return new Set(shown.map(({ file }) => file))
}

/** Keeps of a page's images those that can be shown. */
function keepImages({ images, ...page }: SitePage, read: ReadonlyMap<string, Uint8Array>): SitePage {
  const kept = images?.filter(({ file }) => read.has(file)) ?? []
  return kept.length === 0 ? page : { ...page, images: kept }
}
