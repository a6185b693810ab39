import { InertText, type LinkPolicy } from './inert-text.ts'
import type { LinkResource } from './link-resource.ts'

type Piece =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'link'; content: Piece[]; target: string; resource: string }

interface Opener {
  mark: '[' | '!['
  /** Of the first piece after it. */
  index: number
  /** False once a link stands in its text: links hold no links. */
  isActive: boolean
}

/** Longest text that is held back for a bracket to close. */
const heldCharsMax = 2_000

const plainTitle = /^["'(][^"'()\\\n`<>[\]&|]*["')]$/

/**
 * What follows an open bracket, held back until it is known what the bracket is.
 *
 * As CommonMark does it: a closing bracket belongs to the last open one, a link in the text of another undoes the outer.
 */
export class HeldBrackets {
  readonly #text: InertText
  readonly #policy: LinkPolicy
  #pieces: Piece[] = []
  #openers: Opener[] = []
  #chars = 0

  /** @param text Takes everything that is let go. */
  constructor(text: InertText, policy: LinkPolicy) {
    this.#text = text
    this.#policy = policy
  }

  get isOpen(): boolean {
    return this.#openers.length > 0
  }

  /** @returns What may leave. */
  addText(text: string): string {
    if (!this.isOpen) return this.#text.add(text)
    this.#hold({ type: 'text', text })
    return ''
  }

  addCode(text: string): string {
    if (!this.isOpen) return writeCode(this.#text, text)
    this.#hold({ type: 'code', text })
    return ''
  }

  open(mark: '[' | '!['): void {
    this.#chars += mark.length
    this.#openers.push({ mark, index: this.#pieces.length, isActive: true })
  }

  /** @param link The resource that follows, and how it was written; null when none does. */
  close(link: (LinkResource & { written: string }) | null): string {
    const opener = this.#openers.pop()
    if (opener === undefined) return ''
    const content = this.#pieces.splice(opener.index)
    if (link === null) {
      const mark = endsInCode(content) ? escapeMark(opener.mark) : opener.mark
      this.#pieces.push({ type: 'text', text: mark }, ...content, { type: 'text', text: ']' })
      this.#chars++
    } else this.#pieces.push(...this.#resolve(opener, content, link))
    return this.isOpen ? '' : this.release()
  }

  #resolve(opener: Opener, content: Piece[], link: LinkResource & { written: string }): Piece[] {
    const target = opener.mark === '[' && opener.isActive ? this.#policy.allow(link.target) : null
    if (target === null || endsInCode(content)) return content
    for (const outer of this.#openers) outer.isActive = false
    const isPlain = target === link.target && (link.title === '' || plainTitle.test(link.title))
    return [{ type: 'link', content, target, resource: isPlain ? link.written : `(${target})` }]
  }

  /** Lets go when too much is held. */
  releaseOverfull(): string {
    return this.#chars > heldCharsMax ? this.release() : ''
  }

  /** Lets go of everything: brackets that are open are text, and are escaped. */
  release(): string {
    if (this.#pieces.length === 0 && this.#openers.length === 0) return ''
    for (const { mark, index } of this.#openers.toReversed()) {
      this.#pieces.splice(index, 0, { type: 'text', text: escapeMark(mark) })
    }
    const pieces = this.#pieces
    this.#pieces = []
    this.#openers = []
    this.#chars = 0
    return writePieces(this.#text, this.#policy, pieces)
  }

  #hold(piece: Piece & { text: string }): void {
    this.#chars += piece.text.length
    this.#pieces.push(piece)
  }
}

/** What a definition's label would end in: there, code is none. */
function endsInCode(pieces: readonly Piece[]): boolean {
  return pieces.some((piece) =>
    piece.type === 'link' ? endsInCode(piece.content) : piece.type === 'code' && piece.text.includes(']:'),
  )
}

/** Could begin the label of a definition that ends in code or in a later line. */
function escapeMark(mark: Opener['mark']): string {
  return mark.replace('[', '\\[')
}

function writePieces(text: InertText, policy: LinkPolicy | null, pieces: readonly Piece[]): string {
  let out = ''
  for (const piece of pieces) {
    if (piece.type === 'text') out += text.add(piece.text)
    else if (piece.type === 'code') out += writeCode(text, piece.text)
    else out += writeLink(text, policy, piece)
  }
  return out
}

function writeCode(text: InertText, code: string): string {
  const before = text.flush()
  // Backticks that touch would be one run.
  const written = text.last === '`' ? ` ${code}` : code
  text.follow(written)
  return before + written
}

function writeLink(
  text: InertText,
  policy: LinkPolicy | null,
  { content, target, resource }: Extract<Piece, { type: 'link' }>,
): string {
  const before = text.flush()
  // With a mark of exclamation before it, it would be an image.
  if (policy === null || text.last === '!') return before + writePieces(text, policy, content)
  const inner = new InertText(null)
  inner.follow('[')
  const label = writePieces(inner, null, content) + inner.flush()
  const written = `[${label}]${resource}`
  text.follow(written)
  policy.onLink(target)
  return before + written
}
