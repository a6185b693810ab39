export type AcceptedType = 'markdown' | 'html' | 'any'

interface MediaRange {
  name: string
  quality: number
}

/**
 * Preferred content type of a client, by its `Accept` header.
 *
 * @returns `any` if the header names neither type. Such clients get HTML pages but JSON errors, because browsers always
 *   name HTML.
 */
export function readAcceptedType(accept: string | undefined): AcceptedType {
  const ranges = (accept ?? '').split(',').map(readRange)
  const markdown = findBest(ranges, /^text\/(?:markdown|plain)$/)
  const html = findBest(ranges, /^(?:text\/html|application\/xhtml\+xml)$/)
  if (markdown === null && html === null) return 'any'
  if (markdown === null) return 'html'
  if (html === null || markdown.quality > html.quality) return 'markdown'
  const isNamedFirst = ranges.indexOf(markdown) < ranges.indexOf(html)
  return markdown.quality === html.quality && isNamedFirst ? 'markdown' : 'html'
}

function readRange(text: string): MediaRange {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters
    .map((parameter) => /^q=([\d.]+)$/.exec(parameter)?.[1])
    .find((value) => value !== undefined)
  return { name, quality: quality === undefined ? 1 : Number(quality) }
}

/** First range with the highest quality; quality 0 is a refusal. */
function findBest(ranges: readonly MediaRange[], name: RegExp): MediaRange | null {
  const fitting = ranges.filter((range) => name.test(range.name) && range.quality > 0)
  return fitting.reduce<MediaRange | null>(
    (best, range) => (best && best.quality >= range.quality ? best : range),
    null,
  )
}
