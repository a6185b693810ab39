import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SiteComparison } from '../../contract/counterfactual.ts'
import { nameContentCode } from '../../sites/indexing/content-code.ts'
import { ParsedPages } from '../../sites/indexing/parsed-pages.ts'
import { type ComparedQuestion, compareSites, type ReachedSite } from './compare-sites.ts'
import { readSiteVersion, type SiteTree, type SiteVersion, versionNames } from './site-version.ts'

/** What the last indexing run of a site left, if it ran on this machine. */
export interface IndexedSite {
  /** See `ParsedPages`. */
  parsedFile: string
  /** Null if none is published. */
  indexFile: string | null
}

export interface TreesToCompare {
  before: SiteTree
  after: SiteTree
  /** Public URL of the site; null if unknown. */
  siteUrl: string | null
  questions: readonly ComparedQuestion[]
  /** Most pages are as they were then, and need not be read and analysed again. */
  indexed?: IndexedSite
}

/** Compares two trees of a site. CPU-bound: some 20 ms for each page, and little for each question. */
export async function compareTrees(compared: TreesToCompare, signal: AbortSignal): Promise<SiteComparison> {
  const workFolder = await mkdtemp(join(tmpdir(), 'docent-compare-'))
  try {
    return (await compareTreesIn(workFolder, compared, signal)).comparison
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}

/** Leaves the indexes of both versions in the folder. */
export async function compareTreesIn(
  workFolder: string,
  { before, after, siteUrl, questions, indexed }: TreesToCompare,
  signal: AbortSignal,
): Promise<ReachedSite> {
  const versions: SiteVersion[] = []
  try {
    const parsedFile = join(workFolder, 'parsed')
    // A copy, because what pull requests contain must not be kept. There may be none.
    if (indexed !== undefined) await copyFile(indexed.parsedFile, parsedFile).catch(() => {})
    const code = nameContentCode()
    const parsed = new ParsedPages(parsedFile, code)
    const read = async (tree: SiteTree, name: string) => {
      const previous = versions.at(-1)?.indexFile ?? indexed?.indexFile ?? null
      const version = await readSiteVersion(tree, { workFolder, name, siteUrl, parsed, code, previous, signal })
      versions.push(version)
      return version
    }
    const [old, now] = [await read(before, versionNames.before), await read(after, versionNames.after)]
    return await compareSites({ before: old, after: now, questions, signal })
  } finally {
    for (const { index } of versions) index.close()
  }
}
