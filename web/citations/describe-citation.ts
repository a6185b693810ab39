import type { Citation } from '../../src/contract/citations.ts'

/** The page of a quote and the headings above it, outermost first. */
export function listHeadings({ title, source: { headings } }: Citation): [page: string, ...headings: string[]] {
  const last = `: ${headings.at(-1)}`
  const page = title.endsWith(last) ? title.slice(0, -last.length) : title
  return [page, ...headings.filter((heading) => heading !== page)]
}

/** A quote without the marks of its Markdown. */
export function readQuote({ quote }: Pick<Citation, 'quote'>): string {
  const text = quote
    .replace(/!?\[([^\][]*)\]\([^()\s]*\)/g, '$1')
    .replace(/\*\*|`+/g, '')
    .replace(/^[ \t]*(?:>|[-*+] |\||#{1,6} )+|\|[ \t]*$/gm, '')
    .replace(/\s*\|\s*/g, ' · ')
  return text.trim() === '' ? quote : text.trim()
}

/** Where quotes from one file are in it, from the first line to the last; empty if that is unknown. */
export function describePlace(citations: readonly Citation[]): string {
  const file = citations[0]?.source.file ?? null
  const lines = citations.flatMap(({ source }) => source.lines ?? [])
  if (file === null || lines.length === 0) return ''
  const [first, last] = [Math.min(...lines), Math.max(...lines)]
  return `${file}:${first === last ? first : `${first}–${last}`}`
}

/** Null unless the address is one of the web. */
export function readWebAddress(url: string): string | null {
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null
}
