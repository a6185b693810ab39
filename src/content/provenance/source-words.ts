import { countBelow } from '../../base/count-below.ts'
import { normalizeLines } from './normalize-words.ts'

/** First and last line, from 1, inclusive. */
export type LineRange = readonly [first: number, last: number]

/** The words of a file, joined by spaces, and the lines that they are from. */
export class SourceWords {
  /** Begins and ends with a space, so that whole words can be searched for. */
  readonly text: string
  /** By line with words: where they begin in `text`, and the number of the line. */
  readonly #starts: number[] = []
  readonly #numbers: number[] = []
  /** By first word. */
  readonly #places = new Map<string, number[]>()

  /** @param bodyLine Lines at the beginning of the file that are left out. */
  constructor(lines: readonly string[], bodyLine: number) {
    const words = normalizeLines(lines.slice(bodyLine).join('\n'))
    let offset = 1
    for (const [index, line] of words.entries()) {
      if (line === '') continue
      this.#starts.push(offset)
      this.#numbers.push(bodyLine + index + 1)
      offset += line.length + 1
    }
    this.text = ` ${words.filter(Boolean).join(' ')} `
    for (const start of this.#starts) {
      const word = firstWord(this.text, start)
      const places = this.#places.get(word)
      if (places) places.push(start)
      else this.#places.set(word, [start])
    }
  }

  /** Places in `text` from `start` on at the beginning of a line that begins with the first of these words, in order. */
  *listPlaces(words: string, start = 1): Generator<number> {
    const places = this.#places.get(firstWord(`${words} `, 0)) ?? []
    for (let index = countBelow(places, start); index < places.length; index++) yield places[index] as number
  }

  holdsAt(words: string, place: number): boolean {
    return this.text.startsWith(words, place) && this.text[place + words.length] === ' '
  }

  /** Whether a line ends before this place. */
  isLineEnd(place: number): boolean {
    return place + 1 >= this.text.length || this.#starts[countBelow(this.#starts, place + 1)] === place + 1
  }

  /** The lines that hold the words from one place to another, exclusive. */
  linesOf(start: number, end: number): LineRange {
    return [this.#numberAt(start), this.#numberAt(end - 1)]
  }

  #numberAt(place: number): number {
    return this.#numbers[countBelow(this.#starts, place + 1) - 1] ?? 0
  }
}

const firstWord = (text: string, place: number) => text.slice(place, text.indexOf(' ', place))
