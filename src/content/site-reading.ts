import type { PageHooks } from './flatten/source-library.ts'
import type { SourceFiles } from './trees/read-text.ts'

export interface ReadSiteOptions extends PageHooks {
  /** Called after each page with the number of pages that are done and that there are. */
  onProgress?: (done: number, total: number) => void
  signal?: AbortSignal
  /** Whether readers must sign in: pages are then private unless they say that they are public. */
  requiresSignIn?: boolean
}

/** One run over a site's source, handed to the reader of its format. */
export interface SiteReading extends SourceFiles {
  options: ReadSiteOptions
  hooks: PageHooks
  /** Names the files that are no part of the site. */
  isIgnored: (path: string) => boolean
  /** Whether a navigation may name a file although it is ignored: a chapter may be called `build`. */
  canBeNamed: (path: string) => boolean
}

/** Most pages of one site. */
export const sitePagesMax = 50_000

/** @param file The configuration, where it is to blame. */
export function reportTooManyPages({ findings }: Pick<SourceFiles, 'findings'>, file = ''): void {
  const message = `The site has more than ${sitePagesMax} pages; the rest is left out. Split it into several sites.`
  findings.add({ file, line: null, rule: 'site-too-large', message })
}
