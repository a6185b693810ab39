import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CrawlFiles } from '../../crawl/crawl-snapshot.ts'
import { type IndexRun, isDamageRepair } from '../../store/sites/index-runs.ts'
import type { Site, SiteSource } from '../../store/sites/sites.ts'
import { runCrawlWorker, type RunCrawlWorkerOptions } from './run-crawl-worker.ts'

export interface CrawlSourceDeps {
  /** The folder in which crawls are kept between runs. */
  crawlFolder: string
  /** Whether crawls may reach hosts in private networks. */
  allowsPrivateAddresses: boolean
}

/** Where the crawl of a site is kept. */
export function crawlFilesOf({ crawlFolder }: Pick<CrawlSourceDeps, 'crawlFolder'>, siteId: string): CrawlFiles {
  return { pages: join(crawlFolder, `${siteId}.pages`), replies: join(crawlFolder, `${siteId}.replies`) }
}

/**
 * Fetches a published site. An index that only has to be built again is made from the pages that are here already, so
 * that it does not need the site to answer.
 *
 * @returns The source as it lies on this machine: `location` is the file that holds the pages.
 * @throws {Error} with a sentence, when the site cannot be crawled.
 */
export async function crawlSource(
  deps: CrawlSourceDeps,
  { site, run }: { site: Site; run: IndexRun },
  options: RunCrawlWorkerOptions,
): Promise<SiteSource> {
  const { source } = site
  const files = crawlFilesOf(deps, site.id)
  const isHere = isDamageRepair(run) && (await exists(files.pages))
  if (!isHere) {
    const { allowsPrivateAddresses } = deps
    await runCrawlWorker({ url: source.location, files, allowsPrivateAddresses }, options)
  }
  return { ...source, location: files.pages }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
