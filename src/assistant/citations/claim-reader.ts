import { closesFence, readFenceMarker } from '../../content/markdown/code-fence.ts'

/** A piece of the text, or the passages that the model names at this place. */
export type ClaimToken = { text: string } | { claims: number[] }

const list = String.raw`(\d{1,3}(?:\s*[,，、]\s*\d{1,3}){0,9})`
const claim = new RegExp(String.raw`[ \t]*(?:\[ ?${list} ?\]|【 ?${list}(?:†[^】\n]{0,80})? ?】)`, 'y')
/** The end of a text that may become a claim. */
const claimMaybe = /[ \t]*(?:\[[\d\s,，、]{0,60}\]?|【[^】\n]{0,120}】?)?$/y
const special = /\n|`+|\\|[ \t]*[[【]|[ \t]+$/g
/** Most pieces have none of these. */
const needsDecision = /[\n\t`\\[【]/
const fenceHeadCharsMax = 200

/**
 * Takes the claims of a model, such as `[1]`, `[1, 2]`, `[1][3]` or `【1】`, out of the gated text of an answer, with the
 * space before them, or after them where that has been sent. Holds back only what may become one. Code passes unchanged.
 */
export class ClaimReader {
  #input = ''
  /** Beginning of the current line, enough to see a fence. */
  #line = ''
  #fence: string | null = null
  /** A piece that is only space waits for the next. Other space is sent at once, because a piece may be the last for long. */
  #holdsSpace = false
  #endsInSpace = false
  #isAfterClaim = false

  push(text: string): ClaimToken[] {
    if (this.#input === '' && !this.#isAfterClaim && !needsDecision.test(text) && text.trim() !== '') {
      return this.#passPlain(text)
    }
    this.#holdsSpace = /^[ \t]+$/.test(text)
    this.#input += this.#endsInSpace && this.#isAfterClaim ? text.trimStart() : text
    if (text !== '') this.#isAfterClaim = false
    return this.#read(false)
  }

  #passPlain(text: string): ClaimToken[] {
    this.#endsInSpace = text.endsWith(' ')
    if (this.#line.length < fenceHeadCharsMax) this.#line += text
    return [{ text }]
  }

  end(): ClaimToken[] {
    return this.#read(true)
  }

  #read(isEnd: boolean): ClaimToken[] {
    const tokens: ClaimToken[] = []
    let written = ''
    for (let at = 0; at < this.#input.length;) {
      const step = this.#step(at, isEnd)
      if (step === null) {
        this.#input = this.#input.slice(at)
        return written === '' ? tokens : [...tokens, { text: written }]
      }
      if (step.claims === null) {
        written += this.#input.slice(at, step.end)
        this.#endsInSpace = /[ \t]/.test(this.#input.charAt(step.end - 1))
      } else {
        if (written !== '') tokens.push({ text: written })
        tokens.push({ claims: step.claims })
        written = ''
        this.#isAfterClaim = step.end === this.#input.length
      }
      at = step.end
      if (step.claims !== null && this.#endsInSpace) while (/[ \t]/.test(this.#input.charAt(at))) at++
    }
    this.#input = ''
    return written === '' ? tokens : [...tokens, { text: written }]
  }

  /** @returns The end of what can be decided, and the claims that it is; null if more text is needed. */
  #step(at: number, isEnd: boolean): { end: number; claims: number[] | null } | null {
    special.lastIndex = at
    const found = special.exec(this.#input)
    const pass = (end: number) => ({ end: this.#note(at, end), claims: null })
    if (found === null) return pass(this.#input.length)
    if (found.index > at) return pass(found.index)
    const [mark] = found
    if (mark === '\n') return pass(at + 1)
    if (this.#isInCode()) return pass(at + mark.length)
    if (mark === '\\') return isEnd || at + 1 < this.#input.length ? pass(Math.min(at + 2, this.#input.length)) : null
    if (mark.startsWith('`')) return pass(this.#findSpanEnd(at, mark))
    return this.#stepClaim(at, mark, isEnd) ?? null
  }

  #stepClaim(at: number, mark: string, isEnd: boolean): { end: number; claims: number[] | null } | null {
    claim.lastIndex = at
    const found = claim.exec(this.#input)
    const end = at + (found?.[0].length ?? 0)
    claimMaybe.lastIndex = at
    const isSpace = this.#input.slice(at).trim() === ''
    if (!isEnd && claimMaybe.test(this.#input) && (!isSpace || this.#holdsSpace)) return null
    const claims = (found?.[1] ?? found?.[2] ?? '').split(/[^\d]+/).map(Number)
    const isClaim = found !== null && !/^[(:]/.test(this.#input.slice(end)) && claims.every(isPassageNumber)
    if (isClaim) return { end, claims }
    return { end: this.#note(at, at + mark.length), claims: null }
  }

  /** The gate passes a span of code only as a whole. */
  #findSpanEnd(at: number, run: string): number {
    const start = at + run.length
    for (let next = this.#input.indexOf(run, start); next !== -1; next = this.#input.indexOf(run, next)) {
      let end = next
      while (this.#input[end] === '`') end++
      if (end - next === run.length) return end
      next = end
    }
    return start
  }

  #isInCode(): boolean {
    return this.#fence !== null || readFenceMarker(this.#line) !== null
  }

  /** Follows lines and fences. @returns The end. */
  #note(from: number, end: number): number {
    if (this.#line.length < fenceHeadCharsMax) this.#line += this.#input.slice(from, end)
    if (!this.#input.startsWith('\n', from)) return end
    const line = this.#line.slice(0, -1)
    if (this.#fence === null) this.#fence = readFenceMarker(line)
    else if (closesFence(line, this.#fence)) this.#fence = null
    this.#line = ''
    return end
  }
}

/** Models also name passages that do not exist; a larger number hardly is one. */
function isPassageNumber(number: number): boolean {
  return number >= 1 && number <= 99
}
