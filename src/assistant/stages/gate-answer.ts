import type { Clock } from '../../base/clock.ts'
import type { EmitAnswerEvent } from '../../contract/answer-event.ts'
import type { LoopEvent } from '../../models/run-tool-loop.ts'
import type { AnswerPages } from '../answer-pages.ts'
import { GatedPieces } from '../gate/gated-pieces.ts'
import { ShownOutputs } from '../tools/shown-outputs.ts'

export interface GateDeps {
  clock: Clock
  pages: AnswerPages
  emit: EmitAnswerEvent
}

/**
 * The answer as its reader gets it: lets out no links but those to pages that were read, names each page as a source as
 * soon as it is cited, and keeps what was said.
 */
export class GatedAnswer {
  readonly #clock: Clock
  readonly #pages: AnswerPages
  readonly #emit: EmitAnswerEvent
  readonly #pieces: GatedPieces
  readonly #shown = new ShownOutputs()
  #text = ''
  #firstTextAtMs: number | null = null
  /** What to await before the next event, when the reader does not keep up. */
  #writable: Promise<void> | undefined
  /** The end of the last step, held back for what is added to the model's text. */
  #lastStepEnd: LoopEvent | null = null

  constructor({ clock, pages, emit }: GateDeps) {
    this.#clock = clock
    this.#pages = pages
    this.#emit = emit
    this.#pieces = new GatedPieces(pages, (event) => this.#put(event))
  }

  /** All of the answer so far, as it is stored. */
  get text(): string {
    return this.#text
  }

  get firstTextAtMs(): number | null {
    return this.#firstTextAtMs
  }

  /** Begins the answer with text of ours, which passes no gate and is not the first text that readers wait for. */
  async open(notice: string): Promise<void> {
    if (notice === '') return
    this.#text = notice
    for (const event of toTextEvents('opening', notice)) await this.#emit(event)
  }

  /** @returns What to await before the next event, if anything. */
  pass(event: LoopEvent): Promise<void> | undefined {
    this.#writable = undefined
    if (event.type === 'text-started' && event.isAnswer === false) this.#pages.stopCiting()
    if (event.type === 'step-finished' && event.finishReason !== 'tool-calls') {
      this.#lastStepEnd = event
      this.#pieces.end()
    } else this.#pieces.pass(this.#shown.show(event))
    return this.#writable
  }

  /** Releases what is held back of an answer that broke off. */
  breakOff(): void {
    this.#pieces.end()
  }

  /** Ends the answer with text of ours, which passes no gate. */
  async close(closing: string): Promise<void> {
    if (closing !== '') for (const event of toTextEvents('closing', closing)) this.#put(event)
    if (this.#lastStepEnd !== null) await this.#emit(this.#lastStepEnd)
  }

  #put(event: LoopEvent): void {
    if (event.type === 'text-delta') this.#note(event.text)
    this.#writable = this.#emit(event) ?? this.#writable
  }

  #note(text: string): void {
    this.#firstTextAtMs ??= this.#clock.now()
    this.#text += text
    for (const { path, title, url } of this.#pages.takeNewlyCited()) {
      void this.#emit({ type: 'source-cited', sourceId: path, url, title })
    }
  }
}

function toTextEvents(id: string, text: string): LoopEvent[] {
  return [
    { type: 'text-started', id },
    { type: 'text-delta', id, text },
    { type: 'text-ended', id },
  ]
}
