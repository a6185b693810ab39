import type { ServiceRequests } from '../../../packages/docent-client/src/service-requests.ts'
import type { SearchResult } from '../../../src/contract/search.ts'
import { readQuote } from '../../citations/describe-citation.ts'

export interface SearchHit {
  /** Page, or section of the page of the hit above. */
  title: string
  isSection: boolean
  text: string
  address: string
}

const hitsMax = 8
const textCharsMax = 160

/**
 * Searches the site. Sections follow their page.
 *
 * @throws {DocentError} if it is refused.
 */
export async function searchSite(requests: ServiceRequests, query: string, signal: AbortSignal): Promise<SearchHit[]> {
  const address = requests.address('search/{site}').replace('/discovery/v2/', '/discovery/v1/')
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ query, pageSize: hitsMax })
  const response = await requests.send(address, { method: 'POST', headers, body, signal })
  // The service's own reply, whose type is that of its schema.
  const results = (await response.json()) as SearchResult[]
  return Map.groupBy(results, ({ path }) => path)
    .values()
    .flatMap((found) => found.map((result, index) => readHit(result, index > 0)))
    .toArray()
}

function readHit({ content, metadata: { title, headings, href } }: SearchResult, isSection: boolean): SearchHit {
  const heading = headings.at(-1)
  const page = heading !== undefined && heading !== title ? `${title} › ${heading}` : title
  const lines = content.split('\n').filter((line) => !/^\s*(?:#|```|\|?[\s:|-]*$)/.test(line))
  const text = readQuote({ quote: lines.join(' ') }).slice(0, textCharsMax)
  return { title: isSection ? (heading ?? title) : page, isSection, text, address: href }
}
