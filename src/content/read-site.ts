import { aroundFlatten } from './flatten/around-flatten.ts'
import { aroundLoad } from './pages/around-load.ts'
import { readDocsJsonSite } from './formats/docs-json/docs-json-site.ts'
import { locateDocusaurusSite, readDocusaurusSite } from './formats/docusaurus/docusaurus-site.ts'
import { readListedSite } from './formats/crawl/listed-site.ts'
import { locateLlmsTextSite, readLlmsTextSite } from './formats/llms-text/llms-text-site.ts'
import { locateNextraSite, readNextraSite } from './formats/nextra/nextra-site.ts'
import { pageListFile } from './formats/crawl/page-list.ts'
import { locateFumadocsSite, readFumadocsSite } from './formats/fumadocs/fumadocs-site.ts'
import type { FileTree } from './trees/file-tree.ts'
import { FindingList } from './finding-list.ts'
import { createIgnoreFilter } from './trees/ignored-paths.ts'
import { readMarkdownSite } from './formats/markdown/markdown-site.ts'
import { readMintJsonSite } from './formats/mint-json/mint-json-site.ts'
import { locateMkdocsSite, readMkdocsSite } from './formats/mkdocs/mkdocs-site.ts'
import { findSharedPath } from './routes/shared-path.ts'
import type { SiteContent } from './site-page.ts'
import type { ReadSiteOptions, SiteReading } from './site-reading.ts'
import { readText } from './trees/read-text.ts'
import { locateStarlightSite, readStarlightSite } from './formats/starlight/starlight-site.ts'
import { locateVitepressSite, readVitepressSite } from './formats/vitepress/vitepress-site.ts'

interface SiteReader {
  /** The folder of the tree that holds the configuration of a site of this format, `''` for its root; null where there is none. */
  locate: (paths: ReadonlySet<string>) => string | null
  /**
   * Whether the rules of docs.json hold: which files are left out, and that paths start where the site is published. Those of
   * other formats start at the origin.
   */
  isDocsJson?: true
  read: (reading: SiteReading, root: string) => Promise<SiteContent>
}

const atRoot = (file: string) => (paths: ReadonlySet<string>) => (paths.has(file) ? '' : null)

/**
 * One file per format. The site nearest to the root of the tree is read, of several there the first. A further format is a file
 * and a line here.
 */
const siteReaders: readonly SiteReader[] = [
  { locate: atRoot('docs.json'), isDocsJson: true, read: readDocsJsonSite },
  { locate: atRoot('mint.json'), isDocsJson: true, read: readMintJsonSite },
  { locate: atRoot(pageListFile), read: readListedSite },
  { locate: locateStarlightSite, read: readStarlightSite },
  { locate: locateVitepressSite, read: readVitepressSite },
  { locate: locateDocusaurusSite, read: readDocusaurusSite },
  { locate: locateFumadocsSite, read: readFumadocsSite },
  { locate: locateMkdocsSite, read: readMkdocsSite },
  { locate: locateNextraSite, read: readNextraSite },
  { locate: locateLlmsTextSite, read: readLlmsTextSite },
]

const ignoreFileBytesMax = 64 * 1024

/**
 * Reads a whole site: finds out its format, and turns its sources into pages as their readers see them.
 *
 * Whatever is wrong in the source is a finding; the rest of the site is read all the same. No code of the site is run.
 * Parsing is work for the processor of about 10 ms a page: call it where nothing else waits.
 *
 * @throws {AbortError} when the signal ends the reading.
 */
export async function readSite(tree: FileTree, options: ReadSiteOptions = {}): Promise<SiteContent> {
  options.signal?.throwIfAborted()
  const paths = new Set(tree.paths)
  const findings = new FindingList()
  const ignoreFile = paths.has('.mintignore')
    ? await readText({ tree, findings }, '.mintignore', ignoreFileBytesMax)
    : null
  const { read, isDocsJson } = chooseReader(paths)
  const isIgnored = createIgnoreFilter(ignoreFile ?? '', isDocsJson)
  const isLeftOut = createIgnoreFilter(ignoreFile ?? '', false)
  const reading: SiteReading = { tree, findings, options, isIgnored, canBeNamed: (path) => !isLeftOut(path) }
  const { aroundFlatten: flatten, aroundLoad: load } = options
  const readAround = () => (flatten === undefined ? read(reading) : aroundFlatten.run(flatten, () => read(reading)))
  const site = await (load === undefined ? readAround() : aroundLoad.run(load, readAround))
  return isDocsJson || site.format === 'markdown' ? site : { ...site, basePath: findBasePath(site) }
}

/** As the configuration says, else as all the addresses say. */
function findBasePath({ basePath = '/', pages }: SiteContent): string {
  return basePath === '/' ? findSharedPath(pages.map(({ path }) => path)) : basePath
}

interface ChosenReader {
  read: (reading: SiteReading) => Promise<SiteContent>
  isDocsJson: boolean
}

function chooseReader(paths: ReadonlySet<string>): ChosenReader {
  const located = siteReaders.flatMap(({ locate, read, isDocsJson = false }) => {
    const root = locate(paths)
    return root === null ? [] : [{ root, read, isDocsJson, depth: root === '' ? 0 : root.split('/').length }]
  })
  // Sorting keeps the order of equals.
  const [nearest] = located.sort((a, b) => a.depth - b.depth)
  if (nearest === undefined) return { read: readMarkdownSite, isDocsJson: false }
  return { read: (reading) => nearest.read(reading, nearest.root), isDocsJson: nearest.isDocsJson }
}
