import { FenceTracker, lineHead } from './fence-tracker.ts'
import { codeSpanCharsMax, endsTableCell, findCodeSpanEnd } from './find-code-span-end.ts'
import { HeldBrackets } from './held-brackets.ts'
import { stripInvisible } from './invisible-characters.ts'
import { readLinkResource } from './read-link-resource.ts'
import { type LinkPolicy, TextEscaper } from './text-escaper.ts'

const special = /[[\]!\\`\n~]/g
/** Longest head of a line and longest info string; anything longer is text. */
const headCharsMax = 400
const infoCharsMax = 200
const fenceLineMaybe = /^[ \t>]*(?:`*|~*)[ \t]*$/
const delimiterRow = /^(?=.*-)(?=.*[|:])[ \t>|:-]*$/
const punctuation = /[!-/:-@[-`{-~]/

/** Characters that never need a decision; most chunks of an answer contain only these. */
const plainPiece = /^[ "-Z^_a-}\u00c0-\u024f\u0370-\u058f\u3041-\u9fff\uac00-\ud7a3]+$/

/**
 * Scans the Markdown of an answer and passes only links that a policy allows.
 *
 * Allowed inline links stay as they are; other links become their text, images their alternative text. Code passes
 * unchanged, and everything else is escaped by `TextEscaper`, so that a GFM renderer finds no other link, image or
 * HTML. In doubt, something is text: code would pass unchecked.
 *
 * Structure is parsed in the input, but escaping works on the output, because the text of a dropped link joins its
 * surroundings: `https:[//evil.example](x)`.
 *
 * Holds back a bounded amount of text, only as much as a decision needs. The output does not depend on how the input is
 * chunked. A block that looks like suggestions becomes plain code, because front ends turn those into links.
 */
export class LinkGate {
  readonly #escaper: TextEscaper
  readonly #brackets: HeldBrackets
  readonly #fences = new FenceTracker()
  /** Cleaned text, scanned up to `#at`. */
  #input = ''
  #at = 0
  #out = ''
  /** The end of the last chunk if the next one decides: a high surrogate, or a carriage return. */
  #unread = ''
  /** After ASCII, joiners can only hide something. */
  #isAfterAscii = true
  #place: 'line-start' | 'text' | 'code-line' = 'line-start'
  /** Whether the line begins with a letter, which no block does. */
  #startsPlain = false
  #isInTable = false
  /** Whether code in the previous line would break if that were a table head. */
  #hasCellEndInCode = false

  constructor(policy: LinkPolicy) {
    this.#escaper = new TextEscaper(policy)
    this.#brackets = new HeldBrackets(this.#escaper, policy)
  }

  /** Adds a chunk of text. @returns Text that is ready to emit. */
  push(piece: string): string {
    if (this.#isInPlainText && plainPiece.test(piece)) {
      this.#isAfterAscii = endsInAscii(piece)
      return this.#escaper.add(piece)
    }
    this.#read(piece)
    return this.#scan(false)
  }

  /** Ends the text. @returns Text that was held back, and the end of an open code block. */
  end(): string {
    if (this.#unread === '\r') this.#input += '\n'
    const out = this.#scan(true) + this.#brackets.release() + this.#escaper.flush()
    const closing = this.#fences.close()
    return out + (closing === '' || this.#place === 'line-start' ? '' : '\n') + closing
  }

  get #isInPlainText(): boolean {
    return this.#place === 'text' && this.#input === '' && this.#unread === '' && !this.#brackets.isOpen
  }

  /** Normalizes line endings, joins surrogate pairs, and removes invisible characters. */
  #read(piece: string): void {
    let text = this.#unread + piece
    this.#unread = isCut(text) ? text.slice(-1) : ''
    if (this.#unread !== '') text = text.slice(0, -1)
    if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n')
    const before = this.#isAfterAscii ? '' : 'é'
    const cleaned = stripInvisible(before + text).slice(before.length)
    if (cleaned !== '') this.#isAfterAscii = endsInAscii(cleaned)
    this.#input += cleaned
  }

  #scan(isEnd: boolean): string {
    this.#out = ''
    while (this.#at < this.#input.length) if (!this.#step(isEnd)) break
    this.#input = this.#input.slice(this.#at)
    this.#at = 0
    return this.#out
  }

  /** @returns False if more text is needed. */
  #step(isEnd: boolean): boolean {
    if (this.#place === 'code-line') return this.#passCode()
    if (this.#place === 'line-start')
      return this.#fences.isInFence ? this.#startCodeLine(isEnd) : this.#startLine(isEnd)
    special.lastIndex = this.#at
    const next = special.exec(this.#input)?.index ?? this.#input.length
    return next === this.#at ? this.#stepSpecial(isEnd) : this.#passText(next - this.#at)
  }

  #stepSpecial(isEnd: boolean): boolean {
    const next = this.#input[this.#at + 1]
    const isUndecided = next === undefined && !isEnd
    switch (this.#input.charAt(this.#at)) {
      case '\n':
        this.#place = 'line-start'
        return this.#passText(1)
      case '\\':
        return !isUndecided && this.#passText(next !== undefined && punctuation.test(next) ? 2 : 1)
      case '`':
        return this.#stepBackticks(isEnd)
      case '~':
        return this.#stepTildes(isEnd)
      case '!':
        return !isUndecided && (next === '[' ? this.#openBracket('![') : this.#passText(1))
      case '[':
        return this.#openBracket('[')
      default:
        return this.#brackets.isOpen ? !isUndecided && this.#closeBracket(isEnd) : this.#passText(1)
    }
  }

  /** @param written What is written for these characters. */
  #passText(chars: number, written = this.#input.slice(this.#at, this.#at + chars)): true {
    this.#at += chars
    this.#out += this.#brackets.isOpen ? this.#brackets.add('text', written) : this.#escaper.add(written)
    return true
  }

  /** Passes fenced code and its fences. */
  #passRaw(chars: number, written = this.#input.slice(this.#at, this.#at + chars)): true {
    this.#at += chars
    this.#out += this.#brackets.release() + this.#escaper.addRaw(written)
    return true
  }

  #openBracket(mark: '[' | '!['): true {
    this.#at += mark.length
    this.#out += this.#brackets.open(mark)
    return true
  }

  #closeBracket(isEnd: boolean): boolean {
    const start = this.#at + 1
    const resource = this.#input[start] === '(' ? readLinkResource(this.#input, start) : null
    if (resource === 'more' && !isEnd) return false
    const link = resource === 'more' ? null : resource
    this.#at = start + (link?.chars ?? 0)
    this.#out += this.#brackets.close(link && { ...link, written: this.#input.slice(start, this.#at) })
    return true
  }

  #stepBackticks(isEnd: boolean): boolean {
    const size = countRun(this.#input, this.#at)
    if (size > codeSpanCharsMax) return this.#passText(size - codeSpanCharsMax, '\\`'.repeat(size - codeSpanCharsMax))
    const found = findCodeSpanEnd(isEnd ? `${this.#input}\n` : this.#input, {
      at: this.#at,
      size,
      isInTable: this.#isInTable,
      canWrap: this.#startsPlain && !this.#isInTable,
    })
    const isRunOpen = this.#at + size === this.#input.length
    if (!isEnd && (isRunOpen || found === 'more')) return false
    if (typeof found !== 'number') return this.#passText(size, '\\`'.repeat(size))
    const code = this.#input.slice(this.#at, found)
    this.#at = found
    this.#hasCellEndInCode ||= endsTableCell(code)
    this.#out += this.#brackets.isOpen ? this.#brackets.add('code', code) : this.#escaper.addCodeSpan(code)
    return true
  }

  /** Three in a row could begin a fence where there is none; anywhere else they mean nothing. */
  #stepTildes(isEnd: boolean): boolean {
    const size = countRun(this.#input, this.#at)
    if (size > 2) return this.#passText(size - 2, '\\~'.repeat(size - 2))
    return (isEnd || this.#at + size < this.#input.length) && this.#passText(size)
  }

  /** Reads what precedes the text of a line, and whether that begins a fence. */
  #startLine(isEnd: boolean): boolean {
    lineHead.lastIndex = this.#at
    const head = (lineHead.exec(this.#input)?.[0] ?? '').slice(0, headCharsMax)
    const textAt = this.#at + head.length
    const next = this.#input[textAt] ?? ''
    if (next === '' && !isEnd && head.length < headCharsMax) return false
    const fenceLine = this.#readFenceLine(textAt, isEnd)
    if (fenceLine === 'more') return false
    const isLineEnd = next === '' || next === '\n'
    const continuesText = /^[ \t]*$/.test(head) && !isLineEnd && /\p{L}/u.test(next)
    if (!continuesText) this.#out += this.#brackets.release()
    const indent = this.#fences.readHead(head, isLineEnd ? '' : next)
    this.#place = 'text'
    if (fenceLine === null || indent === null) return this.#passHead(head, isLineEnd, next)
    const { run, info } = fenceLine
    this.#fences.open(run, indent)
    this.#isInTable = false
    this.#place = 'code-line'
    const shown = info.replace(/^([ \t]*)suggestions\b/i, '$1text')
    return this.#passRaw(head.length + run.length + info.length, head + run + shown)
  }

  /** The fence marker and the info string of a line that may open a fence; else null. */
  #readFenceLine(start: number, isEnd: boolean): { run: string; info: string } | 'more' | null {
    const marker = this.#input.charAt(start)
    if (marker !== '`' && marker !== '~') return null
    const size = countRun(this.#input, start)
    if (size > infoCharsMax) return null
    const infoStart = start + size
    if (infoStart === this.#input.length && !isEnd) return 'more'
    if (size < 3) return null
    const lineEnd = this.#input.indexOf('\n', infoStart)
    const info = this.#input.slice(infoStart, lineEnd === -1 ? undefined : lineEnd)
    if (info.length > infoCharsMax || (marker === '`' && info.includes('`'))) return null
    return lineEnd === -1 && !isEnd ? 'more' : { run: marker.repeat(size), info }
  }

  #passHead(head: string, isLineEnd: boolean, next: string): true {
    const isRow = isLineEnd && delimiterRow.test(head)
    const isRefused = (isRow && this.#hasCellEndInCode) || head.length === headCharsMax
    if (isRow) this.#isInTable = true
    else if (isLineEnd && head.trim() === '') this.#isInTable = false
    this.#startsPlain = /\p{L}/u.test(next)
    this.#hasCellEndInCode = false
    return this.#passText(head.length, isRefused ? head.replace(/[|:>*+-]/, '\\$&') : head)
  }

  /** Holds the beginning of a line of code until it is clear whether it closes its fence. */
  #startCodeLine(isEnd: boolean): boolean {
    const lineEnd = this.#input.indexOf('\n', this.#at)
    const line = this.#input.slice(this.#at, lineEnd === -1 ? undefined : lineEnd)
    const isFenceMaybe = fenceLineMaybe.test(line)
    if (isFenceMaybe && lineEnd === -1 && !isEnd && line.length < headCharsMax) return false
    const shown = isFenceMaybe ? line : (/^[ \t>]*[^ \t>]?/.exec(line.slice(0, headCharsMax))?.[0] ?? '')
    const written = this.#fences.readCodeLine(shown)
    if (written === null) return true
    this.#place = 'code-line'
    return this.#passRaw(shown.length, written)
  }

  #passCode(): true {
    const lineEnd = this.#input.indexOf('\n', this.#at)
    if (lineEnd === -1) return this.#passRaw(this.#input.length - this.#at)
    this.#place = 'line-start'
    return this.#passRaw(lineEnd + 1 - this.#at)
  }
}

function countRun(text: string, start: number): number {
  let end = start
  while (end < text.length && text[end] === text[start]) end++
  return end - start
}

/** Whether a text ends in a high surrogate, or in a carriage return that a line feed may follow. */
function isCut(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last === 0x0d || (last >= 0xd800 && last <= 0xdbff)
}

function endsInAscii(text: string): boolean {
  return text.charCodeAt(text.length - 1) < 0x80
}
