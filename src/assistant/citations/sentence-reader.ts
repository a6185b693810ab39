import { findSentences, type Span } from '../../base/text-analysis/find-sentences.ts'
import { closesFence, readFenceMarker } from '../../content/markdown/code-fence.ts'

/** A sentence, code block, list item or table row of an answer. Offsets are into the text read so far. */
export interface Sentence extends Span {
  /** Markdown, without the marks of its line. */
  text: string
}

const lineMarks = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/
const tableLine = /^[ \t>]*\|/
/** Headings, rules, rows that only separate, and lines of one bold phrase. */
const noStatement = /^(?:#{1,6}(?:[ \t]|$)|[-=*_ \t]*$|[ \t|:-]*$|\*\*[^*]*\*\*:?[ \t]*$)/
const linkAlone = /^\[[^\]]*\]\([^()\s]*\)[.:]?$/
/** What may end a sentence in the middle of a line, and the beginning of the next. */
const sentenceEnd = /[.!?。！？…][^\s\p{L}\p{N}]*\s*\S/u

/**
 * Splits the text of an answer into sentences while it is being written. A sentence is finished when the next one
 * begins or its line ends, a code block at its closing fence.
 */
export class SentenceReader {
  /** Text that is not in a finished sentence yet. */
  #open = ''
  /** Offset of `#open`. */
  #start = 0
  /** Where the current line begins in `#open`, and where its unread rest does. */
  #line = 0
  #fence: string | null = null
  #isStartOfLine = true

  /** @returns The sentences that this text finishes. */
  push(text: string): Sentence[] {
    const before = this.#open.length
    this.#open += text
    const sentences: Sentence[] = []
    for (
      let end = this.#open.indexOf('\n', Math.max(before, this.#line));
      end !== -1;
      end = this.#open.indexOf('\n', this.#line)
    ) {
      sentences.push(...this.#endLine(end))
    }
    if (this.#fence === null) sentences.push(...this.#readBegun(this.#open.length - text.length))
    return sentences
  }

  /** Ends the text. */
  end(): Sentence[] {
    const isOpenFence = this.#fence !== null
    const sentences = this.#endLine(this.#open.length)
    return isOpenFence && this.#fence !== null ? [...sentences, this.#take(0, this.#open.length)] : sentences
  }

  #endLine(end: number): Sentence[] {
    const line = this.#open.slice(this.#line, end)
    const marker = this.#isStartOfLine && this.#fence === null ? readFenceMarker(line) : null
    if (this.#fence !== null) {
      this.#line = end + 1
      if (!closesFence(line, this.#fence)) return []
      this.#fence = null
      const block = this.#take(0, end)
      this.#drop(end + 1)
      return [block]
    }
    if (marker !== null) {
      this.#drop(this.#line)
      this.#fence = marker
      this.#line = line.length + 1
      return []
    }
    const sentences = this.#splitLine(line, this.#line)
    this.#drop(end + 1)
    this.#isStartOfLine = true
    return sentences
  }

  /** The sentences of an unfinished line that others already follow. */
  #readBegun(from: number): Sentence[] {
    if (!sentenceEnd.test(this.#open.slice(Math.max(this.#line, from - 3)))) return []
    const line = this.#open.slice(this.#line)
    if (this.#isStartOfLine && (tableLine.test(line) || readFenceMarker(line) !== null)) return []
    const found = this.#splitLine(line, this.#line)
    const last = found.pop()
    if (last === undefined || found.length === 0) return []
    this.#drop(last.start - this.#start)
    this.#isStartOfLine = false
    return found
  }

  #splitLine(line: string, at: number): Sentence[] {
    if (this.#isStartOfLine && noStatement.test(line)) return []
    const marks = this.#isStartOfLine ? (lineMarks.exec(line)?.[0].length ?? 0) : 0
    const rest = line.slice(marks)
    if (rest.trim() === '' || (this.#isStartOfLine && noStatement.test(rest))) return []
    const spans =
      tableLine.test(line) && this.#isStartOfLine ? [{ start: 0, end: rest.trimEnd().length }] : findSentences(rest)
    return spans
      .map(({ start, end }) => this.#take(at + marks + start, at + marks + end))
      .filter(({ text }) => !linkAlone.test(text))
  }

  #take(start: number, end: number): Sentence {
    return { text: this.#open.slice(start, end), start: this.#start + start, end: this.#start + end }
  }

  #drop(chars: number): void {
    const dropped = Math.min(chars, this.#open.length)
    this.#open = this.#open.slice(dropped)
    this.#start += dropped
    this.#line = 0
  }
}

/** The sentences of a whole text. */
export function readSentences(text: string): Sentence[] {
  const reader = new SentenceReader()
  return [...reader.push(text), ...reader.end()]
}
