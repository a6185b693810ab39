import type { Clock } from '../../base/clock.ts'
import type { EmitAnswerEvent } from '../../contract/answer-event.ts'
import { type Citation, placeInMessage } from '../../contract/citations.ts'
import type { LoopEvent } from '../../models/loop/loop-event.ts'
import type { AnswerPages } from '../answer-pages.ts'
import type { Closing } from './close-answer.ts'
import { CitedText, type CitedPiece } from '../citations/cited-text.ts'
import { LinkGate } from '../gate/link-gate.ts'
import { ShownOutputs } from '../tools/shown-outputs.ts'

interface OpenPiece {
  kind: 'text' | 'reasoning'
  /** Id of the first of the model's pieces that this one consists of. */
  id: string
  gate: LinkGate
  /** Null for reasoning, which cites nothing. */
  cited: CitedText | null
  /** Separates it from the text before. */
  lead: string
  /** A piece whose text was entirely held back does not exist for the reader. */
  hasStarted: boolean
}

/**
 * The answer as its reader receives it: passes only links to pages that were read, says after each sentence what it
 * rests on, and records the text.
 *
 * Consecutive pieces are merged, so that no link can be assembled across two. A piece of text that follows something
 * else has its own gate, because front ends render it separately. As some join the pieces, it begins with an empty
 * line, which no code or link can span.
 */
export class GatedAnswer {
  readonly #clock: Clock
  readonly #pages: AnswerPages
  readonly #emit: EmitAnswerEvent
  readonly #writesMarkers: boolean
  readonly #shown = new ShownOutputs()
  #piece: OpenPiece | null = null
  #notice = ''
  #text = ''
  #firstTextAtMs: number | null = null
  /** Where each piece of text begins in `text`. */
  readonly #starts = new Map<string, number>()
  /** What to await before the next event if the reader is slow. */
  #writable: Promise<void> | undefined
  /** The end of the last step, held back for additions to the model's text. */
  #lastStepEnd: LoopEvent | null = null
  /** What of the answer precedes the current step. */
  #before: { chars: number; cited: ReturnType<AnswerPages['mark']> } | null = null

  /** Whether the model was told to name passages by number, which are then taken out of its text. */
  readsClaims = false

  constructor(clock: Clock, pages: AnswerPages, emit: EmitAnswerEvent, { writesMarkers = false } = {}) {
    this.#writesMarkers = writesMarkers
    this.#clock = clock
    this.#pages = pages
    this.#emit = emit
  }

  /** The whole answer so far, as it is stored. */
  get text(): string {
    return this.#notice + this.#text
  }

  /** The answer without the notice before it. */
  get ownText(): string {
    return this.#text
  }

  /** With offsets into `text`. */
  get citations(): Citation[] {
    return this.#pages.citations.sentences.flatMap(({ citations }) =>
      citations.map((citation) => ({ ...citation, answer: placeInMessage(citation.answer, this.#starts) })),
    )
  }

  get firstTextAtMs(): number | null {
    return this.#firstTextAtMs
  }

  /** Begins the answer with our own text, which needs no gate and does not count as the first text for the reader. */
  async open(notice: string): Promise<void> {
    if (notice === '') return
    this.#notice = notice
    for (const event of toTextEvents('opening', notice)) await this.#emit(event)
  }

  /** @returns What to await before the next event, if anything. */
  pass(event: LoopEvent): Promise<void> | undefined {
    this.#writable = undefined
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        if (this.#piece !== null) this.#pass(this.#piece, this.#piece.gate.push(event.text))
        break
      case 'text-started':
        if (event.isAnswer === false) this.#pages.stopCiting()
        this.#startPiece('text', event.id)
        break
      case 'reasoning-started':
        this.#startPiece('reasoning', event.id)
        break
      case 'text-ended':
      case 'reasoning-ended':
        break
      case 'step-restarted':
        this.#restart(event)
        break
      case 'step-started':
      case 'tool-called':
      case 'tool-returned':
      case 'tool-failed':
      case 'step-finished':
        this.endPiece()
        if (event.type === 'step-started') this.#before = { chars: this.#text.length, cited: this.#pages.mark() }
        if (event.type === 'step-finished' && event.finishReason !== 'tool-calls') this.#lastStepEnd = event
        else this.#put(this.#shown.show(event))
    }
    return this.#writable
  }

  /** Releases held-back text, also when the answer broke off. */
  endPiece(): void {
    const piece = this.#piece
    if (piece === null) return
    this.#pass(piece, piece.gate.end())
    if (piece.cited !== null) {
      this.#write(piece, piece.cited.end())
      this.#write(piece, { text: '', events: this.#pages.nameLinked() })
    }
    this.#piece = null
    if (piece.hasStarted) this.#put({ type: `${piece.kind}-ended`, id: piece.id })
  }

  /** Adds a paragraph of our own, which is cited like the model's. */
  async append(text: string): Promise<void> {
    for (const event of toTextEvents('appended', text)) await this.pass(event)
    this.endPiece()
    await this.#writable
  }

  /** Ends the answer with our own text, which needs no gate. */
  async close({ text, suggestions }: Closing): Promise<void> {
    if (text !== '') for (const event of toTextEvents('closing', text)) this.#put(event)
    if (suggestions.length > 0) await this.#emit({ type: 'pages-suggested', items: suggestions })
    if (this.#lastStepEnd !== null) await this.#emit(this.#lastStepEnd)
  }

  /** Takes back what the step has said and cited. */
  #restart(event: LoopEvent): void {
    this.endPiece()
    if (this.#before !== null) {
      this.#text = this.#text.slice(0, this.#before.chars)
      this.#pages.restore(this.#before.cited)
    }
    this.#put(event)
  }

  #startPiece(kind: OpenPiece['kind'], id: string): void {
    if (this.#piece?.kind === kind) return
    this.endPiece()
    // Reasoning cites nothing, but may name what it reads.
    const policy = kind === 'text' ? this.#pages : { allow: (to: string) => this.#pages.allow(to), onLink() {} }
    const lead = kind === 'text' && this.#text !== '' ? '\n\n' : ''
    const cited = kind === 'text' ? this.#openText(id, lead.length) : null
    this.#piece = { kind, id, gate: new LinkGate(policy), cited, lead, hasStarted: false }
  }

  #openText(textId: string, start: number): CitedText {
    const { citations } = this.#pages
    this.#starts.set(textId, this.text.length)
    return new CitedText({
      start,
      readsClaims: this.readsClaims,
      writesMarkers: this.#writesMarkers,
      judge: (sentence, claims) => citations.judge({ ...sentence, textId }, this.#pages.isCiting ? claims : null),
    })
  }

  #pass(piece: OpenPiece, gated: string): void {
    if (gated !== '') this.#write(piece, piece.cited?.push(gated) ?? { text: gated, events: [] })
  }

  #write(piece: OpenPiece, { text, events }: CitedPiece): void {
    const { kind, id, hasStarted } = piece
    if (text !== '') {
      piece.hasStarted = true
      if (!hasStarted) this.#put({ type: `${kind}-started`, id })
      this.#put({ type: `${kind}-delta`, id, text: hasStarted ? text : piece.lead + text })
    }
    for (const event of events) this.#writable = this.#emit(event) ?? this.#writable
  }

  #put(event: LoopEvent): void {
    if (event.type === 'text-delta') this.#note(event.text)
    this.#writable = this.#emit(event) ?? this.#writable
  }

  #note(text: string): void {
    this.#firstTextAtMs ??= this.#clock.now()
    this.#text += text
  }
}

function toTextEvents(id: string, text: string): LoopEvent[] {
  return [
    { type: 'text-started', id },
    { type: 'text-delta', id, text },
    { type: 'text-ended', id },
  ]
}
