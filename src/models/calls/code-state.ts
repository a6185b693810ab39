const stops = /[`~<[◁\\\n]/g
const lineHead = /^[ \t>]{0,40}(?:(?:[-*+]|\d{1,3}[.)])[ \t]{0,9})?$|^[ \t]{0,40}\d{1,3}$/
const codeIndent = /^(?: {4}| {0,3}\t)/
/** Longer runs of backticks are read as several. */
const runCharsMax = 100

/** Follows Markdown as it arrives, to tell what is code: fences, inline code, indented lines. */
export class CodeState {
  /** The line so far while it has only spaces and a list marker; null after that. */
  #head: string | null = ''
  /** The run that began the fence, or empty. */
  #fence = ''
  #isFenceLine = false
  #isIndentedLine = false
  /** Length of the run of backticks that began inline code, or 0. At the end of a paragraph, it turns out to be text. */
  #ticks = 0

  get isLineStart(): boolean {
    return this.#head !== null
  }

  /** Text of the line has come. */
  endHead(): void {
    if (codeIndent.test(this.#head ?? '')) this.#isIndentedLine = true
    this.#head = null
  }

  /**
   * Reads on, up to a character outside of code that may begin a mark.
   *
   * @returns How many characters are plain text or code; 0 if that depends on more text; null at such a character.
   */
  read(text: string, at: number, isWhole: boolean): number | null {
    const character = text[at] ?? ''
    if (character === '\n') return this.#endLine()
    if (this.#head !== null && lineHead.test(this.#head + character)) {
      this.#head += character
      return 1
    }
    if (character === '`' || character === '~') return this.#readRun(text, at, isWhole)
    stops.lastIndex = at
    const length = (stops.exec(text)?.index ?? text.length) - at
    if (length === 0 && !this.#isCode()) return character === '\\' ? this.#readEscape(text, at, isWhole) : null
    this.endHead()
    return Math.max(1, length)
  }

  #isCode(): boolean {
    return this.#fence !== '' || this.#ticks > 0 || this.#isIndentedLine || codeIndent.test(this.#head ?? '')
  }

  #endLine(): number {
    if (this.#head?.trim() === '') this.#ticks = 0
    this.#head = ''
    this.#isFenceLine = this.#isIndentedLine = false
    return 1
  }

  #readEscape(text: string, at: number, isWhole: boolean): number {
    if (at + 1 === text.length && !isWhole) return 0
    this.endHead()
    return text[at + 1] === '\n' ? 1 : 2
  }

  #readRun(text: string, at: number, isWhole: boolean): number {
    const character = text[at] ?? ''
    let end = at
    while (text[end] === character && end - at < runCharsMax) end++
    if (end === text.length && end - at < runCharsMax && !isWhole) return 0
    this.#takeRun(text.slice(at, end), text[end] ?? '\n')
    this.endHead()
    return end - at
  }

  #takeRun(run: string, next: string): void {
    const isTicks = run.startsWith('`')
    if (this.#ticks > 0) this.#ticks = isTicks && run.length === this.#ticks ? 0 : this.#ticks
    // Nothing on the line of a fence has backticks, so it was inline code.
    else if (this.#isFenceLine) this.#fence = isTicks && this.#fence.startsWith('`') ? '' : this.#fence
    else if (this.#fence !== '') this.#fence = this.#endsFence(run, next) ? '' : this.#fence
    else if (this.#head !== null && run.length >= 3) [this.#fence, this.#isFenceLine] = [run, true]
    else if (isTicks) this.#ticks = run.length
  }

  #endsFence(run: string, next: string): boolean {
    return this.#head?.replaceAll('>', '').trim() === '' && run.startsWith(this.#fence) && /\s/.test(next)
  }
}
