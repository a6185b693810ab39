/** Decides which links may pass. */
export interface LinkPolicy {
  /** @returns The target as it may be written, without spaces, quotes and brackets; null if it must not be linked. */
  allow(target: string): string | null
  /** Called with the target of every link that passes. */
  onLink(target: string): void
}

/** Everything that needs a decision. After a letter, `http` and `www` start no link. */
const special = /[<&@\\]|(?<=\])[(:]|(?<![A-Za-z])(?:h(?=t|$)|w(?=w|$))/gi
const urlStart = /https?\\?:\\?\/\\?\/|www\\?\./iy
const urlStartMaybe = /^(?:h(?:t(?:t(?:p(?:s?(?:\\?(?::(?:\\?(?:\/\\?)?)?)?)?)?)?)?)?|w(?:w(?:w\\?)?)?)$/i
const urlEnd = /\\?[\s<>"`|[\]]/
const urlTail = '?!.,:;*_~\'"])}\\'
const autolink = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>`|[\]]*|[^\s<>`|@[\]]+@[^\s<>`|@[\]]+)>/iy
const autolinkMaybe = /^<[^\s<>`|[\]]*$/
const reference = /&(?:#(?:x[\da-f]{1,6}|\d{1,7})|[a-z][a-z\d]{0,31});/iy
const referenceMaybe = /^&(?:#?x?[a-z\d]{0,32})$/i
/** References to characters that cannot form a link. */
const harmlessReference =
  /^&(?:lt|gt|amp|quot|apos|nbsp|ensp|emsp|thinsp|copy|reg|trade|hellip|mdash|ndash|[lr][sda]quo|[lrudh]arr|times|divide|plusmn|minus|le|ge|ne|deg|middot|bull|sect|para|euro|pound|yen|cent|#34|#38|#39|#60|#62|#160|#x22|#x26|#x27|#x3c|#x3e|#xa0|#[1-9]\d{3,}|#x[1-9a-f][\da-f]{2,});$/i
const emailDomain = /@(?:[\w-]|\\?[.-]|\\_){0,253}/y
const escaped = /\\(?=[!-/:-@[-`{-~])/g

/** Longest URL to wait for. */
const urlCharsMax = 2_000

/** What is written for the characters up to `end`. */
interface Written {
  text: string
  end: number
}

/**
 * Escapes text so that it cannot become a link, an image, a definition or HTML in any context.
 *
 * URLs become code, because GFM links them even when they are escaped. Decides on the unescaped text, as renderers do.
 * Holds back only a word that may become a URL, a reference or a tag; the output does not depend on how the text is
 * chunked.
 */
export class TextEscaper {
  readonly #policy: LinkPolicy | null
  /** The last character written, then the text held back. */
  #source: string
  #last: string
  /** Whether the last character is a backslash that does not escape anything yet. */
  #endsInBackslash = false

  /** @param policy Null where nothing may be linked, as in the label of a link. */
  constructor(policy: LinkPolicy | null, last = '\n') {
    this.#policy = policy
    this.#last = last
    this.#source = last
  }

  /** The last character written. */
  get last(): string {
    return this.#last
  }

  /** Adds text. @returns Text that is ready to emit. */
  add(text: string): string {
    this.#source += text
    return this.#drain(false)
  }

  /** Ends the text. @returns Text that was held back. */
  flush(): string {
    return this.#source.length === 1 ? '' : this.#drain(true)
  }

  /** Ends the text and writes something that needs no escaping. */
  addRaw(raw: string): string {
    const before = this.flush()
    this.#source = this.#last = raw.at(-1) ?? this.#last
    this.#endsInBackslash = false
    return before + raw
  }

  addCodeSpan(code: string): string {
    const before = this.flush()
    // Adjacent backticks would form one run.
    return before + this.addRaw(this.#last === '`' ? ` ${code}` : code)
  }

  #drain(isEnd: boolean): string {
    let out = ''
    let at = 1
    for (;;) {
      const next = this.#findSpecial(at)
      if (next > at) {
        out += this.#source.slice(at, next)
        this.#last = this.#source.charAt(next - 1)
        this.#endsInBackslash = false
        at = next
      }
      if (at >= this.#source.length) {
        this.#source = this.#last
        return out
      }
      const written = this.#write(at, isEnd)
      if (written === null) {
        this.#source = this.#last + this.#source.slice(at)
        return out
      }
      out += written.text
      this.#last = written.text.at(-1) ?? '\n'
      this.#endsInBackslash = written.text === '\\'
      at = written.end
    }
  }

  /** Considers the character written before, which may differ from the one read there. */
  #findSpecial(at: number): number {
    special.lastIndex = at
    if (this.#source[at - 1] !== this.#last) {
      special.lastIndex = 1
      if (special.exec(this.#last + this.#source.slice(at, at + 2))?.index === 1) return at
      special.lastIndex = at + 1
    }
    return special.exec(this.#source)?.index ?? this.#source.length
  }

  /** @returns Null if more text is needed. */
  #write(at: number, isEnd: boolean): Written | null {
    const character = this.#source.charAt(at)
    switch (character) {
      case '<':
        return this.#writeAngle(at, isEnd)
      case '&':
        return this.#writeReference(at, isEnd)
      case '@':
        return this.#writeEmail(at, at, isEnd)
      case '\\':
        return this.#writeBackslash(at, isEnd)
      case '(':
      case ':':
        return { text: `\\${character}`, end: at + 1 }
      default:
        return this.#writeUrl(at, isEnd)
    }
  }

  #writeAngle(at: number, isEnd: boolean): Written | null {
    const found = matchAt(autolink, this.#source, at)
    if (found !== null && found[0].length <= urlCharsMax) {
      return { text: this.#writeAddress(found[1] ?? ''), end: at + found[0].length }
    }
    const rest = this.#source.slice(at, at + urlCharsMax + 1)
    if (!isEnd && rest.length <= urlCharsMax && autolinkMaybe.test(rest)) return null
    return { text: /^<[\s\d=<-]/.test(rest) ? '<' : '\\<', end: at + 1 }
  }

  #writeReference(at: number, isEnd: boolean): Written | null {
    const found = matchAt(reference, this.#source, at)?.[0]
    if (found === undefined && !isEnd && referenceMaybe.test(this.#source.slice(at, at + 40))) return null
    return { text: found === undefined || harmlessReference.test(found) ? '&' : '&amp;', end: at + 1 }
  }

  /** @param at Position of the sign, or of the backslash that escapes it. */
  #writeEmail(at: number, signAt: number, isEnd: boolean): Written | null {
    const sign = { text: this.#source.slice(at, signAt + 1), end: signAt + 1 }
    if (!/[\w.+-]/.test(this.#last)) return sign
    const rest = this.#source.slice(signAt, signAt + 600)
    const found = readDomain(rest)
    if (!isEnd && ['a', '.'].some((next) => readDomain(rest + next) !== found)) return null
    const domain = found.replaceAll('\\', '').replace(/\.+$/, '')
    // A name ends before a dot that is not followed by another label.
    const ends = [domain, domain.split(/\.(?![a-z\d])/i, 1)[0] ?? '']
    if (!ends.some((end) => /\.[\w-]/.test(end) && !/[\d_-]$/.test(end))) return sign
    return { text: `\`${domain}\``, end: signAt + found.replace(/(?:\\?\.)+$/, '').length }
  }

  #writeBackslash(at: number, isEnd: boolean): Written | null {
    const next = this.#source[at + 1]
    if (next === undefined) return isEnd ? { text: '\\', end: at + 1 } : null
    if (next === '@') return this.#writeEmail(at, at + 1, isEnd)
    return /[!-/:-@[-`{-~]/.test(next) ? { text: `\\${next}`, end: at + 2 } : { text: '\\', end: at + 1 }
  }

  #writeUrl(at: number, isEnd: boolean): Written | null {
    const first = { text: this.#source.charAt(at), end: at + 1 }
    const start = matchAt(urlStart, this.#source, at)?.[0]
    if (start === undefined) return !isEnd && urlStartMaybe.test(this.#source.slice(at, at + 12)) ? null : first
    const rest = this.#source.slice(at, at + urlCharsMax)
    const found = rest.search(urlEnd)
    if (found === -1 && !isEnd && rest.length < urlCharsMax) return null
    const run = trimEnd(rest.slice(0, found === -1 ? urlCharsMax - 1 : found), '\\')
    if (run.length <= start.length && !run.endsWith('.')) return first
    const trimmed = trimUrl(run)
    const raw = trimmed.length > start.length ? trimmed : run
    // Before a code span, a dangling backslash would escape its first backtick.
    const backslash = this.#endsInBackslash ? '\\' : ''
    return { text: backslash + this.#writeAddress(raw.replace(escaped, '')), end: at + raw.length }
  }

  /** A link if allowed, else code, which no renderer turns into a link. */
  #writeAddress(address: string): string {
    const target = this.#policy?.allow(address) ?? null
    // Right after a backtick, another one would extend that run.
    if (target === null || this.#last === '!') return `${this.#last === '`' ? ' ' : ''}\`${address}\``
    this.#policy?.onLink(target)
    return `[${target.replace(/^https?:\/\/[^/]*/, '').replace(/[_*~]/g, '\\$&') || '/'}](${target})`
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function readDomain(text: string): string {
  return matchAt(emailDomain, text, 0)?.[0] ?? '@'
}

/** Drops what GFM excludes from the end of a URL, but keeps a closing parenthesis that matches an opening one. */
function trimUrl(raw: string): string {
  const trimmed = trimEnd(raw, urlTail)
  const opened = trimmed.split('(').length - trimmed.split(')').length
  return opened > 0 && raw[trimmed.length] === ')' ? `${trimmed})` : trimmed
}

/** In one pass; a pattern that ends in `+$` would be tried at every character. */
function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
