/** Says which link may leave. */
export interface LinkPolicy {
  /** @returns The target as it may be written, without spaces, quotes and brackets; null when it may not be linked. */
  allow(target: string): string | null
  /** Told of every link that leaves, by its target. */
  onLink(target: string): void
}

/** What a link of text would begin with, at least. `[A-Za-z]` before it makes it none. */
const special = /[<&@\\]|(?<=\])[(:]|(?<![A-Za-z])(?:h(?=t|$)|w(?=w|$))/gi
const urlStart = /https?\\?:\\?\/\\?\/|www\\?\./iy
const urlStartMaybe = /^(?:h(?:t(?:t(?:p(?:s?(?:\\?(?::(?:\\?(?:\/\\?)?)?)?)?)?)?)?)?|w(?:w(?:w\\?)?)?)$/i
const urlEnd = /\\?[\s<>"`|[\]]/g
const urlTail = /[?!.,:;*_~'"\])}\\]+$/
const autolink = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>`|[\]]*|[^\s<>`|@[\]]+@[^\s<>`|@[\]]+)>/iy
const autolinkMaybe = /^<[^\s<>`|[\]]*$/
const reference = /&(?:#(?:x[\da-f]{1,6}|\d{1,7})|[a-z][a-z\d]{0,31});/iy
const referenceMaybe = /^&(?:#?x?[a-z\d]{0,32})$/i
/** References that stand for nothing a link could be made of. */
const harmlessReference =
  /^&(?:lt|gt|amp|quot|apos|nbsp|ensp|emsp|thinsp|copy|reg|trade|hellip|mdash|ndash|[lr][sda]quo|[lrudh]arr|times|divide|plusmn|minus|le|ge|ne|deg|middot|bull|sect|para|euro|pound|yen|cent|#34|#38|#39|#60|#62|#160|#x22|#x26|#x27|#x3c|#x3e|#xa0|#[1-9]\d{3,}|#x[1-9a-f][\da-f]{2,});$/i
const emailDomain = /@(?:[\w-]|\\?[.-]|\\_){0,253}/y
const punctuation = /[!-/:-@[-`{-~]/

/** Longest address that is waited for. */
const urlCharsMax = 2_000

interface Handled {
  text: string
  end: number
}

/**
 * Makes text that is neither code nor a link of its own unable to become a link, an image, a definition or HTML,
 * whatever stands around it.
 *
 * Web addresses become code, because GFM makes links of them even where they are escaped; what else could open or close
 * something is escaped. Looks at the text after escapes, as renderers do. Holds back only a word that may become an
 * address, a reference or a tag. The same text in other pieces comes out the same.
 */
export class InertText {
  readonly #policy: LinkPolicy | null
  /** The character that was put out last, then what is held back. */
  #buffer = '\n'
  /** Whether the last character is a backslash that escapes nothing as yet. */
  #endsInBackslash = false

  /** @param policy Null where nothing may be linked, as in the text of a link. */
  constructor(policy: LinkPolicy | null) {
    this.#policy = policy
  }

  /** The character that was put out last. */
  get last(): string {
    return this.#buffer[0] ?? '\n'
  }

  /** Takes more text. @returns What may leave. */
  add(text: string): string {
    this.#buffer += text
    return this.#drain(false)
  }

  /** Lets go of what is held back, as nothing of this text follows; what comes next begins after `last`. */
  flush(): string {
    return this.#buffer.length === 1 ? '' : this.#drain(true)
  }

  /** Notes what was put out by others. */
  follow(text: string): void {
    this.#buffer = text.at(-1) ?? this.#buffer
    this.#endsInBackslash = false
  }

  #drain(isEnd: boolean): string {
    let out = ''
    for (;;) {
      special.lastIndex = 1
      const at = special.exec(this.#buffer)?.index ?? this.#buffer.length
      if (at > 1) {
        out += this.#buffer.slice(1, at)
        this.#buffer = this.#buffer.slice(at - 1)
        this.#endsInBackslash = false
      }
      if (this.#buffer.length === 1) return out
      const handled = this.#handle(isEnd)
      if (handled === 'more') return out
      out += handled.text
      this.#endsInBackslash = handled.text === '\\'
      this.#buffer = (handled.text.at(-1) ?? '\n') + this.#buffer.slice(handled.end)
    }
  }

  /** Decides on the special character at 1. */
  #handle(isEnd: boolean): Handled | 'more' {
    const character = this.#buffer.charAt(1)
    switch (character) {
      case '<':
        return this.#handleAngle(isEnd)
      case '&':
        return this.#handleReference(isEnd)
      case '@':
        return this.#handleEmail(1, isEnd)
      case '\\':
        return this.#handleBackslash(isEnd)
      case '(':
      case ':':
        return { text: `\\${character}`, end: 2 }
      default:
        return this.#handleUrl(isEnd)
    }
  }

  #handleAngle(isEnd: boolean): Handled | 'more' {
    autolink.lastIndex = 1
    const found = autolink.exec(this.#buffer)
    if (found !== null && found[0].length <= urlCharsMax) {
      return { text: this.#writeAddress(found[1] ?? ''), end: 1 + found[0].length }
    }
    const rest = this.#buffer.slice(1)
    if (!isEnd && rest.length <= urlCharsMax && (rest === '<' || autolinkMaybe.test(rest))) return 'more'
    return { text: /^<[\s\d=<-]/.test(rest) ? '<' : '\\<', end: 2 }
  }

  #handleReference(isEnd: boolean): Handled | 'more' {
    reference.lastIndex = 1
    const found = reference.exec(this.#buffer)?.[0]
    if (found !== undefined && !harmlessReference.test(found)) return { text: '&amp;', end: 2 }
    if (found === undefined && !isEnd && referenceMaybe.test(this.#buffer.slice(1))) return 'more'
    return { text: '&', end: 2 }
  }

  /** @param at Of the sign, which an escape may stand before. */
  #handleEmail(at: number, isEnd: boolean): Handled | 'more' {
    const sign = { text: this.#buffer.slice(1, at + 1), end: at + 1 }
    if (!/[\w.+-]/.test(this.last)) return sign
    const found = readDomain(this.#buffer, at)
    if (!isEnd && ['a', '.'].some((next) => readDomain(this.#buffer + next, at) !== found)) return 'more'
    const domain = found.replaceAll('\\', '').replace(/[.]+$/, '')
    // A name ends before a dot that none of its parts follows.
    const ends = [domain, domain.split(/\.(?![a-z\d])/i, 1)[0] ?? '']
    if (!ends.some((end) => /\.[\w-]/.test(end) && !/[\d_-]$/.test(end))) return sign
    return { text: `\`${domain}\``, end: at + found.replace(/(?:\\?\.)+$/, '').length }
  }

  #handleBackslash(isEnd: boolean): Handled | 'more' {
    const next = this.#buffer[2]
    if (next === undefined) return isEnd ? { text: '\\', end: 2 } : 'more'
    if (next === '@') return this.#handleEmail(2, isEnd)
    if (punctuation.test(next)) return { text: `\\${next}`, end: 3 }
    return { text: '\\', end: 2 }
  }

  #handleUrl(isEnd: boolean): Handled | 'more' {
    urlStart.lastIndex = 1
    const start = urlStart.exec(this.#buffer)
    if (start === null) {
      if (!isEnd && urlStartMaybe.test(this.#buffer.slice(1))) return 'more'
      return { text: this.#buffer[1] ?? '', end: 2 }
    }
    urlEnd.lastIndex = 1
    const found = urlEnd.exec(this.#buffer)?.index
    if (found === undefined && !isEnd && this.#buffer.length <= urlCharsMax) return 'more'
    const end = Math.min(found ?? this.#buffer.length, urlCharsMax)
    const run = this.#buffer.slice(1, end).replace(/\\+$/, '')
    const trimmed = trimUrl(run)
    const raw = trimmed.length > start[0].length ? trimmed : run
    if (run.length <= start[0].length && !run.endsWith('.')) return { text: this.#buffer.slice(1, 2), end: 2 }
    const escape = this.#endsInBackslash ? '\\' : ''
    return { text: escape + this.#writeAddress(raw.replace(/\\(?=[!-/:-@[-`{-~])/g, '')), end: 1 + raw.length }
  }

  /** A link where it may be one, else code, which no renderer makes a link of. */
  #writeAddress(address: string): string {
    const target = this.#policy?.allow(address) ?? null
    // Right after a backtick, one more would belong to it.
    if (target === null || this.last === '!') return `${this.last === '`' ? ' ' : ''}\`${address}\``
    this.#policy?.onLink(target)
    return `[${target.replace(/^https?:\/\/[^/]*/, '').replace(/[_*~]/g, '\\$&') || '/'}](${target})`
  }
}

function readDomain(text: string, at: number): string {
  emailDomain.lastIndex = at
  return emailDomain.exec(text)?.[0] ?? '@'
}

/** What GFM leaves out of an address at its end; a closing parenthesis belongs to it when it opens one. */
function trimUrl(raw: string): string {
  const trimmed = raw.replace(urlTail, '')
  const opened = trimmed.split('(').length - trimmed.split(')').length
  return opened > 0 && raw[trimmed.length] === ')' ? `${trimmed})` : trimmed
}
