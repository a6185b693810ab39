import type { FileTree } from './trees/file-tree.ts'
import type { AroundFlatten } from './flatten/around-flatten.ts'
import type { AroundLoad } from './pages/around-load.ts'
import type { FindingList } from './finding-list.ts'

export interface ReadSiteOptions {
  /** Called after each page with the number of pages that are done and that there are. */
  onProgress?: (done: number, total: number) => void
  signal?: AbortSignal
  /** Stands around the flattening of each page. */
  aroundFlatten?: AroundFlatten
  /** Stands around the loading of each page's file. */
  aroundLoad?: AroundLoad
  /** Whether readers must sign in: pages are then private unless they say that they are public. */
  requiresSignIn?: boolean
}

/** One run over a site's source, handed to the reader of its format. */
export interface SiteReading {
  tree: FileTree
  findings: FindingList
  options: ReadSiteOptions
  /** Names the files that are no part of the site. */
  isIgnored: (path: string) => boolean
  /** Whether a navigation may make a file part of the site all the same: a chapter may be called `build`. */
  canBeNamed: (path: string) => boolean
}

/** Most pages of one site; further ones are left out with a finding. */
export const sitePagesMax = 50_000
