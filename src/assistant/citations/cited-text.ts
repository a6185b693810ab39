import { mapProse } from '../../content/markdown/code-fence.ts'
import type { CitationEvent } from './answer-citations.ts'
import { type ClaimToken, ClaimReader } from './claim-reader.ts'
import { type Sentence, SentenceReader } from './sentence-reader.ts'

export interface CitedTextOptions {
  /** Characters of the part before this text. */
  start: number
  /** Whether the model was told to name passages. */
  readsClaims: boolean
  /** Whether each sentence is followed by the numbers of its cited sections. */
  writesMarkers: boolean
  judge: (sentence: Sentence, claims: readonly number[]) => JudgedOutcome
}

/** What follows a sentence. */
export interface JudgedOutcome {
  events: CitationEvent[]
  /** Of the cited sections. */
  numbers: string[]
}

/** What to send: the text, then the events. */
export interface CitedPiece {
  text: string
  events: CitationEvent[]
}

/** One text part of an answer on its way out: without the model's claims, and with the citations of its sentences. */
export class CitedText {
  readonly #options: CitedTextOptions
  readonly #sentences = new SentenceReader()
  readonly #claimReader: ClaimReader | null
  /** Of the sentence that is being written. */
  #claims: number[] = []
  /** Characters read, and sent besides. */
  #read = 0
  /** The last character sent. */
  #last = ''
  #added: number

  constructor(options: CitedTextOptions) {
    this.#options = options
    this.#added = options.start
    this.#claimReader = options.readsClaims ? new ClaimReader() : null
  }

  push(text: string): CitedPiece {
    return this.#write(this.#claimReader?.push(text) ?? [{ text }], false)
  }

  end(): CitedPiece {
    return this.#write(this.#claimReader?.end() ?? [], true)
  }

  #write(tokens: readonly ClaimToken[], isEnd: boolean): CitedPiece {
    const piece: CitedPiece = { text: '', events: [] }
    for (const token of tokens) {
      if ('claims' in token) this.#claims.push(...token.claims)
      else this.#add(piece, token.text, this.#sentences.push(token.text))
    }
    if (isEnd) this.#add(piece, '', this.#sentences.end())
    return piece
  }

  #add(piece: CitedPiece, text: string, sentences: readonly Sentence[]): void {
    const from = this.#read
    let written = 0
    this.#read += text.length
    for (const sentence of sentences) {
      const claims = this.#claims.splice(0)
      const start = sentence.start + this.#added
      const end = sentence.end + this.#added
      const { events, numbers } = this.#options.judge({ ...sentence, start, end }, claims)
      piece.events.push(...events)
      const marker = this.#options.writesMarkers ? writeMarker(sentence.text, numbers) : ''
      if (marker === '') continue
      const place = Math.max(written, Math.min(sentence.end - from, text.length))
      piece.text += text.slice(written, place)
      written = place
      const isAfterSpace = /[ \t]/.test(piece.text.at(-1) ?? this.#last)
      piece.text += isAfterSpace ? `${marker} ` : ` ${marker}`
      this.#added += marker.length + 1
    }
    piece.text += text.slice(written)
    this.#last = piece.text.at(-1) ?? this.#last
  }
}

/** None in code, and none that would be a cell of its own. */
function writeMarker(sentence: string, numbers: readonly string[]): string {
  if (numbers.length === 0 || /^[ \t>]*(?:`{3}|~{3}|\|)/.test(sentence)) return ''
  return [...new Set(numbers)].map((number) => `[${number}]`).join('')
}

const writtenMarker = /(?<=\S) (?:\[\d{1,3}\])+(?=\s|$)/g

/** Removes the markers from an earlier answer: the passages of the next one have other numbers. */
export function withoutMarkers(text: string): string {
  return mapProse(text, (prose) => prose.replace(writtenMarker, ''))
}
