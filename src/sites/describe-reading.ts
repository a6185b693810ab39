import type { SiteContent, SitePage } from '../content/site-page.ts'
import type { SelfCheck, Site } from '../store/sites/sites.ts'

/** What was learned about the addresses of a site while reading it. */
export type SiteReading = Omit<SelfCheck, 'siteUrl' | 'addressOrigin'>

const samplesMax = 3

export function describeReading({ check, isDoubtful, pages, format, basePath = '/' }: SiteContent): SiteReading {
  return { ...check, isDoubtful, basePath, format, samplePaths: pickSamples(pages) }
}

/** From all over the site, because a wrong rule may fit a part of it. Deep pages, because start pages always fit. */
function pickSamples(pages: readonly SitePage[]): string[] {
  const shown = pages.filter(({ isListed, isPublic }) => isListed && isPublic)
  const depth = Math.max(0, ...shown.map(({ path }) => path.split('/').length)) > 2 ? 3 : 2
  const paths = shown.map(({ path }) => path).filter((path) => path !== '/' && path.split('/').length >= depth)
  const at = (share: number) => paths[Math.floor(share * paths.length)] ?? []
  return [...new Set([0.2, 0.5, 0.8].flatMap(at))].slice(0, samplesMax)
}

/** Joins a reading with what else the addresses of its pages derive from. */
export function describeSelfCheck({ baseUrl, source }: Site, reading: SiteReading): SelfCheck {
  const { kind, location, subdirectory } = source
  const { format } = reading
  return {
    ...reading,
    siteUrl: baseUrl,
    addressOrigin: JSON.stringify({ url: baseUrl, kind, location, subdirectory, format }),
  }
}
