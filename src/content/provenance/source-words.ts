import { countBelow } from '../../base/count-below.ts'
import { attributeMark, reduceLines } from './reduce-lines.ts'

/** First and last line, from 1, inclusive. */
export type LineRange = readonly [first: number, last: number]

/** The words of some lines of a file, joined by spaces, and where they are from. */
export class SourceWords {
  /** Begins and ends with a space, so that whole words can be searched for. */
  readonly text: string
  /** By run of words, which is a line or an attribute of a tag: where it begins in `text`, and the number of its line. */
  readonly #starts: number[] = []
  readonly #numbers: number[] = []
  /** By first word. */
  readonly #places = new Map<string, number[]>()

  /** @param above Number of the line above the first. */
  constructor(lines: readonly string[], above: number) {
    let text = ' '
    for (const [index, line] of reduceLines(lines.join('\n')).entries()) {
      for (const run of line.split(attributeMark)) {
        const words = run.trim()
        if (words === '') continue
        this.#add(words, text.length, above + index + 1)
        text += `${words} `
      }
    }
    this.text = text
  }

  #add(words: string, start: number, number: number): void {
    this.#starts.push(start)
    this.#numbers.push(number)
    const places = this.#places.get(firstWord(words))
    if (places) places.push(start)
    else this.#places.set(firstWord(words), [start])
  }

  /** Places in `text` from `start` on where a run begins with the first of these words, in order. */
  *listPlaces(words: string, start = 1): Generator<number> {
    const places = this.#places.get(firstWord(words)) ?? []
    for (let index = countBelow(places, start); index < places.length; index++) yield places[index] as number
  }

  occursAt(words: string, place: number): boolean {
    return this.text.startsWith(words, place) && this.text[place + words.length] === ' '
  }

  /** Whether a run ends before this place. */
  isRunEnd(place: number): boolean {
    return place + 1 >= this.text.length || this.#starts[countBelow(this.#starts, place + 1)] === place + 1
  }

  /** The lines that contain the words from one place to another, exclusive. */
  linesOf(start: number, end: number): LineRange {
    return [this.#numberAt(start), this.#numberAt(end - 1)]
  }

  #numberAt(place: number): number {
    return this.#numbers[countBelow(this.#starts, place + 1) - 1] ?? 0
  }
}

function firstWord(words: string): string {
  const end = words.indexOf(' ')
  return end === -1 ? words : words.slice(0, end)
}
