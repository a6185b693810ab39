import { searchResponseSchema, type SearchResult } from '../contract/search.ts'
import type { Output } from './output.ts'
import { postAsReader } from './post-as-reader.ts'

export interface SearchOptions {
  query: string
  /** Maximum results, 1 to 50. */
  pageSize: number
  /** Slug of the site. */
  site: string
  key?: string | undefined
}

const timeLimitMs = 30_000
const excerptCharsMax = 200

/** `docent search`: prints the passages that a question would be answered from, best first. */
export async function search(output: Output, { site, key, ...request }: SearchOptions): Promise<void> {
  const response = await postAsReader({
    command: 'search',
    site,
    key,
    path: '/discovery/v1/search',
    body: request,
    signal: AbortSignal.timeout(timeLimitMs),
  })
  const body: unknown = await response.json()
  const results = searchResponseSchema.parse(body)
  output.result(results, () => describeResults(results))
}

function describeResults(results: readonly SearchResult[]): string {
  if (results.length === 0) return 'No page of the site matches.'
  return results.map(describeResult).join('\n\n')
}

function describeResult({ content, metadata }: SearchResult): string {
  const { title, headings, href, score } = metadata
  const excerpt = content.replace(/\s+/g, ' ').trim()
  const shown = excerpt.length > excerptCharsMax ? `${excerpt.slice(0, excerptCharsMax)}…` : excerpt
  return `${score.toFixed(2)}  ${[title, ...headings].join(' › ')}\n      ${href}\n      ${shown}`
}
