import { readDocsJsonSite } from './docs-json-site.ts'
import type { FileTree } from './file-tree.ts'
import { FindingList } from './finding-list.ts'
import { createIgnoreFilter } from './ignored-paths.ts'
import { readMarkdownSite } from './markdown-site.ts'
import { readMintJsonSite } from './mint-json-site.ts'
import type { SiteContent } from './site-page.ts'
import type { ReadSiteOptions, SiteReading } from './site-reading.ts'
import { readText } from './source-library.ts'

interface SiteReader {
  /** Whether a tree is a site of this format. */
  matches: (paths: ReadonlySet<string>) => boolean
  read: (reading: SiteReading) => Promise<SiteContent>
}

/** One file per format; the first that matches reads the site. A further format is a file and a line here. */
const siteReaders: readonly SiteReader[] = [
  { matches: (paths) => paths.has('docs.json'), read: readDocsJsonSite },
  { matches: (paths) => paths.has('mint.json'), read: readMintJsonSite },
  { matches: () => true, read: readMarkdownSite },
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
  const reading: SiteReading = { tree, findings, options, isIgnored: createIgnoreFilter(ignoreFile ?? '') }
  const reader = siteReaders.find((candidate) => candidate.matches(paths))
  if (reader === undefined) throw new Error('No reader matches, although the last one matches everything.')
  return reader.read(reading)
}
