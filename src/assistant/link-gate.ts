import { codeSpanCharsMax, findCodeSpanEnd, holdsCellEnd } from './code-span.ts'
import { FenceTracker, lineHead } from './fence-tracker.ts'
import { HeldBrackets } from './held-brackets.ts'
import { InertText, type LinkPolicy } from './inert-text.ts'
import { stripInvisible } from './invisible-characters.ts'
import { readLinkResource } from './link-resource.ts'

const special = /[[\]!\\`\n~]/g
/** Longest head of a line, longest name of a language: what is longer is text. */
const headCharsMax = 400
const infoCharsMax = 200
const codeLineStart = /^[ \t>]*(?:`*|~*)[ \t]*$/
const delimiterRow = /^(?=.*-)(?=.*[|:])[ \t>|:-]*$/
const punctuation = /[!-/:-@[-`{-~]/

/** Characters that decide nothing here: most pieces of an answer have no others. */
const plainPiece = /^[ "-Z^_a-}\u00c0-\u024f\u0370-\u058f\u3041-\u9fff\uac00-\ud7a3]+$/

/**
 * Lets the text of an answer pass, and of its links only those that a policy allows.
 *
 * Inline links that are allowed stay as they are; all others become their text, images their alternative text. Bare
 * addresses become code, HTML is escaped, definitions are none any more, so that no renderer of GFM finds a link, an
 * image or HTML in what leaves. Code passes as it is. When in doubt, something is text: taken for code, it would pass
 * unchecked.
 *
 * Holds back only what it takes to decide, which is bounded. The same text in other pieces comes out the same. What
 * looks like a list of suggestions is plain code, because front ends make links of those.
 */
export class LinkGate {
  readonly #fences = new FenceTracker()
  readonly #held: HeldBrackets
  readonly #text: InertText
  #buffer = ''
  #out = ''
  #isLineStart = true
  /** A line of code is passing: all of it up to its end. */
  #isInCodeLine = false
  #startsPlain = false
  #isInTable = false
  /** Whether code in the line before would fall apart, were that the head of a table. */
  #hasCellEndInCode = false
  #endsInReturn = false
  /** Half of a character, whose other half comes with the next piece. */
  #half = ''
  /** The last of the text that was taken in. */
  #lastTaken = ''

  constructor(policy: LinkPolicy) {
    this.#text = new InertText(policy)
    this.#held = new HeldBrackets(this.#text, policy)
  }

  /** Takes the next piece of the text. @returns What may leave by now. */
  push(piece: string): string {
    if (this.#isInText && plainPiece.test(piece)) {
      this.#lastTaken = piece.slice(-1)
      return this.#text.add(piece)
    }
    this.#buffer += this.#clean(piece)
    return this.#drain(false)
  }

  /** Takes the end of the text. @returns What was held back, and the end of code that is open. */
  end(): string {
    let out = this.#drain(true) + this.#held.release() + this.#text.flush()
    const closing = this.#fences.close()
    if (closing !== null) out += (this.#isLineStart ? '' : '\n') + closing
    return out
  }

  /** Nothing is held back and no line begins: what decides nothing is text and no more. */
  get #isInText(): boolean {
    const isHeld = this.#buffer !== '' || this.#half !== '' || this.#held.isOpen
    return !isHeld && !this.#isLineStart && !this.#isInCodeLine && !this.#endsInReturn
  }

  /** One kind of line end, whole characters and none that nobody sees. */
  #clean(piece: string): string {
    if (piece === '') return ''
    let text = this.#half + piece
    this.#half = ''
    if (/[\ud800-\udbff]$/.test(text)) {
      this.#half = text.slice(-1)
      text = text.slice(0, -1)
    }
    if (text === '') return ''
    const isCut = this.#endsInReturn && text.startsWith('\n')
    this.#endsInReturn = text.endsWith('\r')
    if (isCut) text = text.slice(1)
    if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n')
    const cleaned = stripInvisible(this.#lastTaken + text).slice(this.#lastTaken.length)
    this.#lastTaken = cleaned.at(-1) ?? this.#lastTaken
    return cleaned
  }

  #drain(isEnd: boolean): string {
    this.#out = ''
    while (this.#buffer !== '') if (!this.#step(isEnd)) break
    const out = this.#out
    this.#out = ''
    return out
  }

  /** @returns False when more text is needed. */
  #step(isEnd: boolean): boolean {
    if (this.#isInCodeLine) return this.#passCode()
    if (this.#isLineStart) return this.#fences.isInFence ? this.#startCodeLine(isEnd) : this.#startLine(isEnd)
    special.lastIndex = 0
    const at = special.exec(this.#buffer)?.index ?? this.#buffer.length
    if (at > 0) {
      this.#addText(at)
      return true
    }
    return this.#stepSpecial(isEnd)
  }

  #stepSpecial(isEnd: boolean): boolean {
    const next = this.#buffer[1]
    switch (this.#buffer.charAt(0)) {
      case '\n':
        this.#addText(1)
        this.#isLineStart = true
        return true
      case '\\':
        if (next === undefined && !isEnd) return false
        this.#addText(next !== undefined && punctuation.test(next) ? 2 : 1)
        return true
      case '`':
        return this.#stepBackticks(isEnd)
      case '~':
        return this.#stepTildes(isEnd)
      case '!':
        if (next === undefined && !isEnd) return false
        if (next === '[') this.#openBracket('![')
        else this.#addText(1)
        return true
      case '[':
        this.#openBracket('[')
        return true
      default:
        return this.#closeBracket(isEnd)
    }
  }

  #addText(chars: number, written = this.#buffer.slice(0, chars)): void {
    this.#buffer = this.#buffer.slice(chars)
    this.#out += this.#held.addText(written) + this.#held.releaseOverfull()
  }

  #openBracket(mark: '[' | '!['): void {
    this.#buffer = this.#buffer.slice(mark.length)
    this.#held.open(mark)
  }

  #closeBracket(isEnd: boolean): boolean {
    if (!this.#held.isOpen) {
      this.#addText(1)
      return true
    }
    if (this.#buffer.length === 1 && !isEnd) return false
    const resource = this.#buffer[1] === '(' ? readLinkResource(this.#buffer, 1) : null
    if (resource === 'more' && !isEnd) return false
    const link = resource === 'more' ? null : resource
    const written = this.#buffer.slice(1, link?.end ?? 1)
    this.#buffer = this.#buffer.slice(link?.end ?? 1)
    this.#out += this.#held.close(link === null ? null : { ...link, written })
    return true
  }

  #stepBackticks(isEnd: boolean): boolean {
    const size = countRun(this.#buffer, '`')
    if (size === this.#buffer.length && !isEnd && size <= codeSpanCharsMax) return false
    const found = findCodeSpanEnd({
      text: isEnd ? `${this.#buffer}\n` : this.#buffer,
      start: 0,
      size,
      isInTable: this.#isInTable,
      canWrap: this.#startsPlain && !this.#isInTable,
    })
    if (found === 'more' && !isEnd) return false
    if (typeof found !== 'number') {
      this.#addText(size, '\\`'.repeat(size))
      return true
    }
    const code = this.#buffer.slice(0, found)
    this.#buffer = this.#buffer.slice(found)
    this.#hasCellEndInCode ||= holdsCellEnd(code)
    this.#out += this.#held.addCode(code)
    return true
  }

  /** Three in a row could begin a fence that is none here; anywhere else they mean nothing. */
  #stepTildes(isEnd: boolean): boolean {
    const size = countRun(this.#buffer, '~')
    if (size < 3 && size === this.#buffer.length && !isEnd) return false
    if (size < 3) this.#addText(size)
    else this.#addText(size - 2, '\\~'.repeat(size - 2))
    return true
  }

  /** Reads what stands before the text of a line, and whether that begins a fence. */
  #startLine(isEnd: boolean): boolean {
    lineHead.lastIndex = 0
    const head = (lineHead.exec(this.#buffer)?.[0] ?? '').slice(0, headCharsMax)
    const next = this.#buffer[head.length]
    if (next === undefined && !isEnd && head.length < headCharsMax) return false
    const run = next === '`' || next === '~' ? countRun(this.#buffer.slice(head.length), next) : 0
    const lineEnd = this.#findFenceLineEnd(head.length, run, isEnd)
    if (lineEnd === 'more') return false
    const isLineEnd = next === undefined || next === '\n'
    if (this.#held.isOpen && !(/^[ \t]*$/.test(head) && !isLineEnd && /\p{L}/u.test(next)))
      this.#out += this.#held.release()
    const indent = this.#fences.readHead(head, isLineEnd ? '' : next)
    this.#isLineStart = false
    if (lineEnd !== null && indent !== null) this.#openFence({ headChars: head.length, run, indent, lineEnd })
    else this.#passHead(head, isLineEnd, next ?? '')
    return true
  }

  /** Where a line ends that begins with a fence, if nothing is wrong with its place; null when it begins with none. */
  #findFenceLineEnd(start: number, run: number, isEnd: boolean): number | 'more' | null {
    const marker = this.#buffer[start]
    const isOpen = start + run === this.#buffer.length && !isEnd
    if (run > 0 && isOpen && run <= infoCharsMax) return 'more'
    if (run < 3 || run > infoCharsMax) return null
    const found = this.#buffer.indexOf('\n', start + run)
    const end = found === -1 ? this.#buffer.length : found
    const info = this.#buffer.slice(start + run, end)
    if (info.length > infoCharsMax || (marker === '`' && info.includes('`'))) return null
    return found === -1 && !isEnd ? 'more' : end
  }

  #openFence(line: { headChars: number; run: number; indent: number; lineEnd: number }): void {
    const { headChars, run, indent, lineEnd } = line
    const marks = headChars + run
    const info = this.#buffer.slice(marks, lineEnd).replace(/^([ \t]*)suggestions\b/i, '$1text')
    this.#fences.open(this.#buffer.slice(headChars, marks), indent)
    this.#passRaw(this.#buffer.slice(0, marks) + info)
    this.#buffer = this.#buffer.slice(lineEnd)
    this.#isInTable = false
    this.#isInCodeLine = true
  }

  #passHead(head: string, isLineEnd: boolean, next: string): void {
    const isRow = isLineEnd && delimiterRow.test(head)
    const isRefused = (isRow && this.#hasCellEndInCode) || head.length === headCharsMax
    this.#addText(head.length, isRefused ? head.replace(/[|:>*+-]/, '\\$&') : head)
    if (isRow) this.#isInTable = true
    else if (isLineEnd && head.trim() === '') this.#isInTable = false
    this.#startsPlain = /\p{L}/u.test(next)
    this.#hasCellEndInCode = false
  }

  /** Holds the beginning of a line of code until it is clear whether it closes its fence. */
  #startCodeLine(isEnd: boolean): boolean {
    const found = this.#buffer.indexOf('\n')
    const line = found === -1 ? this.#buffer : this.#buffer.slice(0, found)
    const head = line.slice(0, headCharsMax)
    if (found === -1 && !isEnd && line.length < headCharsMax && codeLineStart.test(line)) return false
    const shown = codeLineStart.test(line) ? line : (/^[ \t>]*[^ \t>]?/.exec(head)?.[0] ?? head)
    const written = this.#fences.readCodeLine(shown)
    if (written === null) return true
    this.#passRaw(written)
    this.#buffer = this.#buffer.slice(shown.length)
    this.#isLineStart = false
    this.#isInCodeLine = true
    return true
  }

  #passCode(): boolean {
    const end = this.#buffer.indexOf('\n')
    const chars = end === -1 ? this.#buffer.length : end + 1
    this.#passRaw(this.#buffer.slice(0, chars))
    this.#buffer = this.#buffer.slice(chars)
    if (end === -1) return true
    this.#isInCodeLine = false
    this.#isLineStart = true
    return true
  }

  #passRaw(text: string): void {
    this.#out += this.#held.release() + this.#text.flush() + text
    this.#text.follow(text)
  }
}

function countRun(text: string, character: string): number {
  let size = 0
  while (text[size] === character) size++
  return size
}
