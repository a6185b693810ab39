import { decodeAddress } from '../trees/source-path.ts'

/**
 * A page is read as text, in which images are their alternative text. Marks keep their places until the text
 * is final: what an image refers to, between two characters of private use, and a third one after its alternative text.
 */
const [start, middle, end] = ['\u{f8d0}', '\u{f8d1}', '\u{f8d2}']
const mark = new RegExp(`${start}([^${start}${middle}${end}\\s]{1,2000})${middle}([^${start}${middle}]*?)${end}`, 'gu')
const marks = new RegExp(`${start}[^${start}${middle}\\s]{0,2000}${middle}|[${start}${middle}${end}]`, 'gu')

/** Where a page shows an image. */
export interface MarkedImage {
  /** Where its alternative text begins in the page's Markdown, in UTF-16 code units. */
  offset: number
  /** Length of its alternative text; 0 if it has none. */
  length: number
  /** As it is written in the page. */
  reference: string
  /** Whether it is a paragraph of its own, of which the Markdown has nothing. */
  isAlone: boolean
}

/** @returns The alternative text, marked unless the image is of another site or written into the page. */
export function markImage(reference: string, alternative: string): string {
  const isOfSite = reference !== '' && !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(reference)
  return isOfSite ? `${start}${encodeURIComponent(reference.toWellFormed())}${middle}${alternative}${end}` : alternative
}

/** The text without its marks. */
export function dropImageMarks(markdown: string): string {
  return markdown.replace(marks, '')
}

/** Takes the marks out of a text. Linear time. */
export function takeImages(markdown: string): { markdown: string; images: MarkedImage[] } {
  const images: MarkedImage[] = []
  const parts: string[] = []
  let offset = 0
  let from = 0
  const append = (part: string) => {
    if (part !== '') parts.push(part)
    offset += part.length
  }
  const appendText = (written: string) => {
    const last = images.at(-1)
    const text = dropImageMarks(written)
    // An image without alternative text leaves no empty paragraph.
    const isFirst = last?.offset === 0 || parts.at(-1)?.endsWith('\n\n') === true
    const isAlone = last?.length === 0 && isFirst && /^(?:\n\n|$)/.test(text)
    if (isAlone) last.isAlone = true
    append(isAlone ? text.slice(2) : text)
  }
  for (const match of markdown.matchAll(mark)) {
    const [whole, reference = '', alternative = ''] = match
    appendText(markdown.slice(from, match.index))
    images.push({ offset, length: alternative.length, reference: decodeAddress(reference), isAlone: false })
    append(alternative)
    from = match.index + whole.length
  }
  appendText(markdown.slice(from))
  return { markdown: images.length === 0 ? parts.join('') : parts.join('').trimEnd(), images }
}
