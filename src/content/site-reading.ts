import type { PageHooks } from './flatten/source-library.ts'
import type { SourceFiles } from './trees/read-text.ts'

export interface ReadSiteOptions extends PageHooks {
  /** Called after each page with the number of finished pages and the total. */
  onProgress?: (done: number, total: number) => void
  signal?: AbortSignal
  /** The site's folder, where the tree is the repository around it. Names of files are relative to this folder. */
  folder?: string
  /** Whether readers must sign in: pages are then private unless marked public. */
  requiresSignIn?: boolean
  /** Where readers find the site, if known: links to it are links of the site. */
  siteUrl?: string | null
}

/** One reading of a site's source. */
export interface SiteReading extends SourceFiles {
  options: ReadSiteOptions
  hooks: PageHooks
  /** Whether a file is not part of the site. */
  isIgnored: (path: string) => boolean
  /** Whether a navigation may name a file even if ignored: a chapter may be called `build`. */
  canBeNamed: (path: string) => boolean
}

/** Most pages per site. */
export const sitePagesMax = 50_000

/** @param file The configuration, if it is at fault. */
export function reportTooManyPages({ findings }: Pick<SourceFiles, 'findings'>, file = ''): void {
  const message = `The site has more than ${sitePagesMax} pages; the rest are omitted. Split it into several sites.`
  findings.add({ file, line: null, rule: 'site-too-large', message })
}
