import { join } from 'node:path'
import type { CrawlFiles } from '../../crawl/crawl-snapshot.ts'
import { type IndexRun, isDamageRepair } from '../../store/sites/index-runs.ts'
import type { Site, SiteSource } from '../../store/sites/sites.ts'
import { pathExists } from '../../base/path-exists.ts'
import { runCrawlWorker, type RunCrawlWorkerOptions } from './run-crawl-worker.ts'

export interface CrawlSourceDeps {
  /** Folder of the crawls kept between runs. */
  crawlFolder: string
  /** Whether crawls may reach hosts in private networks. */
  allowsPrivateAddresses: boolean
}

/** The files of a site's crawl. */
export function crawlFilesOf({ crawlFolder }: Pick<CrawlSourceDeps, 'crawlFolder'>, siteId: string): CrawlFiles {
  return { pages: join(crawlFolder, `${siteId}.pages`), replies: join(crawlFolder, `${siteId}.replies`) }
}

/**
 * Fetches a published site. If the index only needs rebuilding, the stored pages are used, so that the site need not
 * respond.
 *
 * @returns The source on this machine: `location` is the file that contains the pages.
 * @throws {Error} with a message, when the site cannot be crawled.
 */
export async function crawlSource(
  deps: CrawlSourceDeps,
  { site, run }: { site: Site; run: IndexRun },
  options: RunCrawlWorkerOptions,
): Promise<SiteSource> {
  const { source } = site
  const files = crawlFilesOf(deps, site.id)
  const isHere = isDamageRepair(run) && (await pathExists(files.pages))
  if (!isHere) {
    const { allowsPrivateAddresses } = deps
    await runCrawlWorker({ url: source.location, files, allowsPrivateAddresses }, options)
  }
  return { ...source, location: files.pages }
}
