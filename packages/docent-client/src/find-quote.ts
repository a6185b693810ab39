/** Elements whose text is not the page's. */
const foreign = 'script, style, noscript, template, button, select, textarea, svg'

/**
 * Finds a quote in the rendered text of a page. Compares letters and digits only, without case or accents, because
 * renderers drop Markdown, change quotation marks and put elements between words.
 *
 * @param after The first occurrence after the start of this element is preferred, such as the heading of a section.
 * @returns Null if the page does not contain the quote, or if the quote has no letters or digits.
 */
export function findQuote(root: Node, quote: string, after: Node | null = null): Range | null {
  const wanted = reduceText(quote.replace(/\]\([^()\s]*\)/g, ']')).letters
  if (wanted === '') return null
  const page = readPage(root, after)
  const first = page.letters.indexOf(wanted, page.preferred)
  const start = first < 0 ? page.letters.indexOf(wanted) : first
  return start < 0 ? null : makeRange(page, start, start + wanted.length - 1)
}

interface Page {
  letters: string
  /** The text node of each letter, as an index, and its offset there. */
  owners: number[]
  offsets: number[]
  nodes: Text[]
  /** The number of letters before `after`. */
  preferred: number
}

function readPage(root: Node, after: Node | null): Page {
  const page: Page = { letters: '', owners: [], offsets: [], nodes: [], preferred: 0 }
  const texts: string[] = []
  let isAfter = after === null
  for (const node of listTexts(root)) {
    const { letters, offsets } = reduceText(node.data)
    isAfter ||= isAtOrAfter(node, after)
    if (!isAfter) page.preferred += letters.length
    for (const offset of offsets) {
      page.owners.push(page.nodes.length)
      page.offsets.push(offset)
    }
    page.nodes.push(node)
    texts.push(letters)
  }
  page.letters = texts.join('')
  return page
}

function* listTexts(root: Node): Generator<Text> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && node.matches(foreign) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  while (walker.nextNode()) if (walker.currentNode instanceof Text) yield walker.currentNode
}

function isAtOrAfter(node: Node, after: Node | null): boolean {
  const position = after?.compareDocumentPosition(node) ?? 0
  return (position & (Node.DOCUMENT_POSITION_FOLLOWING | Node.DOCUMENT_POSITION_CONTAINED_BY)) !== 0
}

/** Letters and digits of a text, with the offset that each came from. */
function reduceText(text: string): { letters: string; offsets: number[] } {
  const offsets: number[] = []
  let letters = ''
  let offset = 0
  for (const character of text) {
    const reduced = reduceCharacter(character)
    letters += reduced
    for (let unit = 0; unit < reduced.length; unit++) offsets.push(offset)
    offset += character.length
  }
  return { letters, offsets }
}

function reduceCharacter(character: string): string {
  if (/[a-z0-9]/.test(character)) return character
  return character
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** @param last The last letter of the quote, inclusive. */
function makeRange({ nodes, owners, offsets }: Page, first: number, last: number): Range {
  const range = document.createRange()
  const [start, end] = [nodes[owners[first] ?? 0], nodes[owners[last] ?? 0]]
  const endOffset = offsets[last] ?? 0
  if (start) range.setStart(start, offsets[first] ?? 0)
  if (end) range.setEnd(end, endOffset + String.fromCodePoint(end.data.codePointAt(endOffset) ?? 0).length)
  return range
}
