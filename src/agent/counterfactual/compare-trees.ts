import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SiteComparison } from '../../contract/counterfactual.ts'
import { nameContentCode } from '../../sites/indexing/content-code.ts'
import { ParsedPages } from '../../sites/indexing/parsed-pages.ts'
import { type ComparedQuestion, compareSites } from './compare-sites.ts'
import { readSiteVersion, type SiteTree, type SiteVersion } from './site-version.ts'

export interface TreesToCompare {
  before: SiteTree
  after: SiteTree
  /** Public URL of the site; null if unknown. */
  siteUrl: string | null
  questions: readonly ComparedQuestion[]
}

/** Compares two trees of a site. CPU-bound: some 20 ms for each page, and little for each question. */
export async function compareTrees(compared: TreesToCompare, signal: AbortSignal): Promise<SiteComparison> {
  const { before, after, siteUrl, questions } = compared
  const workFolder = await mkdtemp(join(tmpdir(), 'docent-compare-'))
  const versions: SiteVersion[] = []
  try {
    const parsed = new ParsedPages(join(workFolder, 'parsed'), nameContentCode())
    const read = async (tree: SiteTree, name: string) => {
      const previous = versions.at(-1) ?? null
      const version = await readSiteVersion(tree, { workFolder, name, siteUrl, parsed, previous, signal })
      versions.push(version)
      return version
    }
    const [old, now] = [await read(before, 'before'), await read(after, 'after')]
    return await compareSites({ before: old, after: now, questions, signal })
  } finally {
    for (const { index } of versions) index.close()
    await rm(workFolder, { recursive: true, force: true })
  }
}
