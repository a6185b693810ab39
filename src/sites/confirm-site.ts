import { getCurrentIndexGeneration, type IndexGeneration } from '../store/sites/index-generations.ts'
import { confirmOrigin } from '../store/sites/site-confirmations.ts'
import type { Site } from '../store/sites/sites.ts'
import type { Store } from '../store/store.ts'
import { pageHref, pagesUrl } from './site-url.ts'

/** The owner confirms the page addresses of a site: its newest index goes live. Does nothing if it is live already. */
export async function confirmSite({ store }: { store: Store }, { id }: Site): Promise<void> {
  const newest = await getCurrentIndexGeneration(store.durable, id)
  const selfCheck = newest?.selfCheck ?? null
  if (newest?.isWaiting === true && selfCheck !== null) await confirmOrigin(store.durable, id, selfCheck)
}

/** Addresses of a few pages, for the owner to open; paths if the URL of the site is unknown. */
export function listSampleUrls(site: Site, baseUrl: string, { selfCheck }: IndexGeneration): string[] {
  if (selfCheck === null) return []
  if (site.baseUrl === null) return selfCheck.samplePaths
  const url = pagesUrl(site, baseUrl, selfCheck.basePath)
  return selfCheck.samplePaths.map((path) => pageHref({ url }, path, null))
}
