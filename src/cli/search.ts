import { openDataFolder, readServerAddress } from '../app/data-folder.ts'
import { readEnvironment } from '../config/read-environment.ts'
import { AppError } from '../contract/app-error.ts'
import { errorBodySchema } from '../contract/error-body.ts'
import { searchResponseSchema, type SearchResult } from '../contract/search.ts'
import type { Output } from './output.ts'

export interface SearchOptions {
  query: string
  /** Most results, 1 to 50. */
  pageSize: number
  /** Slug of the site. */
  site: string
  key?: string | undefined
}

const timeLimitMs = 30_000
const excerptCharsMax = 200

/** `docent search`: prints the passages that a question would be answered from, best first. */
export async function search(output: Output, { site, key, ...request }: SearchOptions): Promise<void> {
  const settings = readEnvironment()
  const address = await readServerAddress(await openDataFolder(settings))
  if (address === null) throw new Error('No server runs on this data folder. Start one with: npm start')
  const secret = key ?? settings.assistantKey
  if (secret === undefined) {
    throw new Error(
      `Pass an assistant key with --key. Make one with: docent key create --kind assistant --name search --site ${site}`,
    )
  }
  const response = await fetch(`${address.url}/discovery/v1/search/${encodeURIComponent(site)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
    signal: AbortSignal.timeout(timeLimitMs),
  })
  const body: unknown = await response.json()
  if (!response.ok) {
    const { code, error, details } = errorBodySchema.parse(body)
    throw new AppError(code, error, details === undefined ? {} : { details })
  }
  const results = searchResponseSchema.parse(body)
  output.result(results, () => describeResults(results))
}

function describeResults(results: readonly SearchResult[]): string {
  if (results.length === 0) return 'No page of the site fits.'
  return results.map(describeResult).join('\n\n')
}

function describeResult({ content, metadata }: SearchResult): string {
  const { title, headings, href, score } = metadata
  const excerpt = content.replace(/\s+/g, ' ').trim()
  const shown = excerpt.length > excerptCharsMax ? `${excerpt.slice(0, excerptCharsMax)}…` : excerpt
  return `${score.toFixed(2)}  ${[title, ...headings].join(' › ')}\n      ${href}\n      ${shown}`
}
