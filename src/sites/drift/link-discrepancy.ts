import { readForgeLocation, viewAddress } from '../../codehost/forge/forge-location.ts'
import { posix } from 'node:path'
import type { DiscrepancyFact, DiscrepancyPlace } from '../../contract/discrepancies.ts'
import type { Discrepancy } from '../../store/discrepancies/discrepancies.ts'
import { type ContextRepository, listContextRepositories } from '../../store/sites/context-repositories.ts'
import type { Site, SiteSource } from '../../store/sites/sites.ts'
import type { Store } from '../../store/store.ts'
import { pagesUrl } from '../site-url.ts'

interface LinkDeps {
  store: Store
  baseUrl: string
}

/** Adds the web addresses of the pages, and of the lines in repositories on a forge, to the findings of a site. */
export async function linkDiscrepancies(
  { store, baseUrl }: LinkDeps,
  site: Site,
  discrepancies: readonly Discrepancy[],
): Promise<Discrepancy[]> {
  const contexts = await listContextRepositories(store.durable, { siteId: site.id })
  return discrepancies.map(({ details, ...discrepancy }) => ({
    ...discrepancy,
    details: {
      ...details,
      places: details.places.map((place) => linkPlace(place, site, baseUrl)),
      facts: details.facts.map((fact) => linkFact(fact, site, contexts)),
    },
  }))
}

function linkPlace(place: DiscrepancyPlace, site: Site, baseUrl: string): DiscrepancyPlace {
  if (place.path !== undefined) return { ...place, url: `${pagesUrl(site, baseUrl)}${encodeURI(place.path)}` }
  return { ...place, url: view(site.source, null, posix.join(site.source.subdirectory, place.file), place.line) }
}

function linkFact(fact: DiscrepancyFact, site: Site, contexts: readonly ContextRepository[]): DiscrepancyFact {
  const { repository, commit, file, line } = fact
  const source = repository === null ? site.source : contexts.find(({ name }) => name === repository)?.source
  if (source === undefined || file === null) return fact
  return { ...fact, url: view(source, commit, file, line ?? 1) }
}

function view(source: SiteSource, commit: string | null, file: string, line: number): string | null {
  const place = readForgeLocation(source)
  return place === null ? null : viewAddress(place, { commit: commit ?? source.ref, file, line })
}
