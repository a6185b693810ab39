import type { LinkResource } from './read-link-resource.ts'
import { type LinkPolicy, TextEscaper } from './text-escaper.ts'

type BracketMark = '[' | '!['

/** A link is followed by the tokens of its label, up to `end`. */
type Token =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'link'; target: string; resource: string; end: number }

/** Most text to hold back for a closing bracket. */
const heldCharsMax = 2_000
const plainTitle = /^["'(][^"'()\\\n`<>[\]&|]*["')]$/

/**
 * Holds back the text after an open bracket until it is clear what the bracket is.
 *
 * As in CommonMark, a closing bracket belongs to the last open one, and a link within a link's label cancels the outer
 * one.
 */
export class HeldBrackets {
  readonly #escaper: TextEscaper
  readonly #policy: LinkPolicy
  #tokens: Token[] = []
  #openers: { mark: BracketMark; index: number }[] = []
  /** How many openers, from the first, have a link in their text: links cannot contain links. */
  #undone = 0
  /** Index of the last code that could end the label of a definition. */
  #labelEnd = -1
  #chars = 0

  constructor(escaper: TextEscaper, policy: LinkPolicy) {
    this.#escaper = escaper
    this.#policy = policy
  }

  get isOpen(): boolean {
    return this.#openers.length > 0
  }

  /** @returns Text that is ready to emit. */
  add(type: 'text' | 'code', text: string): string {
    if (type === 'code' && text.includes(']:')) this.#labelEnd = this.#tokens.length
    this.#tokens.push({ type, text })
    this.#chars += text.length
    return type === 'text' ? this.#releaseOverfull() : ''
  }

  open(mark: BracketMark): string {
    this.#openers.push({ mark, index: this.#tokens.length })
    this.#tokens.push({ type: 'text', text: '' })
    this.#chars += mark.length
    return this.#releaseOverfull()
  }

  /** @param link The resource that follows, and its source text; null if there is none. */
  close(link: (LinkResource & { written: string }) | null): string {
    const opener = this.#openers.pop()
    if (opener === undefined) return ''
    const isUndone = this.#openers.length < this.#undone
    if (isUndone) this.#undone = this.#openers.length
    const holdsLabelEnd = this.#labelEnd > opener.index
    if (link === null) {
      this.#tokens[opener.index] = { type: 'text', text: holdsLabelEnd ? escapeMark(opener.mark) : opener.mark }
      this.#tokens.push({ type: 'text', text: ']' })
      this.#chars++
    } else if (opener.mark === '[' && !isUndone && !holdsLabelEnd) this.#link(opener.index, link)
    return this.isOpen ? '' : this.release()
  }

  #link(index: number, { target, title, written }: LinkResource & { written: string }): void {
    const allowed = this.#policy.allow(target)
    if (allowed === null) return
    const isPlain = title === '' || plainTitle.test(title)
    const resource =
      isPlain && allowed === target ? written : `(${allowed}${isPlain && title !== '' ? ` ${title}` : ''})`
    this.#tokens[index] = { type: 'link', target: allowed, resource, end: this.#tokens.length }
    this.#undone = this.#openers.length
  }

  #releaseOverfull(): string {
    return this.#chars > heldCharsMax ? this.release() : ''
  }

  /** Releases everything; brackets still open are text and are escaped. */
  release(): string {
    if (this.#tokens.length === 0) return ''
    for (const { mark, index } of this.#openers) this.#tokens[index] = { type: 'text', text: escapeMark(mark) }
    const out = this.#write(this.#escaper, 0, this.#tokens.length)
    this.#tokens = []
    this.#openers = []
    this.#undone = 0
    this.#labelEnd = -1
    this.#chars = 0
    return out
  }

  #write(escaper: TextEscaper, start: number, end: number): string {
    let out = ''
    for (let index = start; index < end; index++) {
      const token = this.#tokens[index]
      if (token?.type === 'text') out += escaper.add(token.text)
      else if (token?.type === 'code') out += escaper.addCodeSpan(token.text)
      else if (token !== undefined) {
        out += escaper.flush()
        // After an exclamation mark it would be an image, so only its label is written.
        if (escaper.last === '!') continue
        const label = new TextEscaper(null, '[')
        const written = this.#write(label, index + 1, token.end) + label.flush()
        out += escaper.addRaw(`[${written}]${token.resource}`)
        this.#policy.onLink(token.target)
        index = token.end - 1
      }
    }
    return out
  }
}

/** Otherwise it could begin the label of a definition that ends in code or on a later line. */
function escapeMark(mark: BracketMark): string {
  return mark.replace('[', '\\[')
}
