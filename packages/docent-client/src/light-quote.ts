import { findQuote } from './find-quote.ts'

export interface LightQuoteOptions {
  /** Where to look. Default: the whole page. */
  root?: Element
  /** Id of the heading above the quote; the first occurrence after it is lit. */
  anchor?: string | null
}

/** Name of the highlight, for styles: `::highlight(docent-quote)`. */
const highlightName = 'docent-quote'

/**
 * Lights a quote on the page that is shown, and scrolls to it. Changes no element, so that frameworks do not notice:
 * uses the CSS Custom Highlight API, and the selection in browsers without it. Set `--docent-quote` on the root element
 * to choose the background.
 *
 * @returns Puts the light out; null if the page does not contain the quote.
 */
export function lightQuote(
  quote: string,
  { root = document.body, anchor }: LightQuoteOptions = {},
): (() => void) | null {
  const heading = anchor == null ? null : document.getElementById(anchor)
  const range = findQuote(root, quote, heading)
  if (range === null) return null
  reveal(range)
  return typeof CSS !== 'undefined' && 'highlights' in CSS ? highlight(range) : select(range)
}

function highlight(range: Range): () => void {
  addStyle()
  const light = new Highlight(range)
  CSS.highlights.set(highlightName, light)
  return () => {
    if (CSS.highlights.get(highlightName) === light) CSS.highlights.delete(highlightName)
  }
}

let style: CSSStyleSheet | null = null

/** A constructed sheet, because policies that forbid inline styles allow it. */
function addStyle(): void {
  if (style !== null) return
  style = new CSSStyleSheet()
  style.replaceSync(`::highlight(${highlightName}) { background-color: var(--docent-quote, Mark); color: MarkText }`)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, style]
}

function select(range: Range): () => void {
  const selection = getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
  return () => selection?.removeRange(range)
}

/** Opens what is closed around the quote, as browsers do for text fragments. */
function reveal({ startContainer }: Range): void {
  const around = startContainer.parentElement
  for (let element = around; element !== null; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement) element.open = true
    if (element.getAttribute('hidden') === 'until-found') element.removeAttribute('hidden')
  }
  around?.scrollIntoView({ block: 'center' })
}
