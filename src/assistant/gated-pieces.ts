import type { LoopEvent } from '../models/loop/loop-event.ts'
import type { CitedPages } from './cited-pages.ts'
import { LinkGate } from './link-gate.ts'

type PieceKind = 'text' | 'reasoning'

interface OpenPiece {
  kind: PieceKind
  /** As the reader knows it: of the first of the pieces that it is made of. */
  id: string
  gate: LinkGate
  /** What its first text begins with. */
  lead: string
  /** A piece whose text was all held back does not exist for the reader. */
  hasStarted: boolean
}

/**
 * Puts the text and the reasoning of an answer through the gate.
 *
 * Pieces that follow each other become one, so that nothing can be put together out of two. A piece of text that comes
 * after something else has a gate of its own, because front ends render it alone; as some join the pieces, it begins
 * with an empty line, where nothing of the one before can go on.
 */
export class GatedPieces {
  readonly #cited: CitedPages
  readonly #put: (event: LoopEvent) => void
  #open: OpenPiece | null = null
  #hasText = false

  /** @param put Takes what may leave, in order. */
  constructor(cited: CitedPages, put: (event: LoopEvent) => void) {
    this.#cited = cited
    this.#put = put
  }

  pass(event: LoopEvent): void {
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        return this.#write(this.#open?.gate.push(event.text) ?? '')
      case 'text-ended':
      case 'reasoning-ended':
        return
      case 'text-started':
        return this.#start('text', event.id)
      case 'reasoning-started':
        return this.#start('reasoning', event.id)
      case 'step-started':
      case 'tool-called':
      case 'tool-returned':
      case 'tool-failed':
      case 'step-finished':
        this.end()
        this.#put(event)
    }
  }

  /** Takes the end of everything, also of an answer that broke off: what was held back leaves. */
  end(): void {
    const open = this.#open
    if (open === null) return
    this.#write(open.gate.end())
    this.#open = null
    if (open.hasStarted) this.#put({ type: `${open.kind}-ended`, id: open.id })
  }

  #start(kind: PieceKind, id: string): void {
    if (this.#open?.kind === kind) return
    this.end()
    // Reasoning cites nothing, but may name what it reads.
    const policy = kind === 'text' ? this.#cited : { allow: (target: string) => this.#cited.allow(target), onLink() {} }
    const lead = kind === 'text' && this.#hasText ? '\n\n' : ''
    this.#open = { kind, id, gate: new LinkGate(policy), lead, hasStarted: false }
  }

  #write(text: string): void {
    const open = this.#open
    if (open === null || text === '') return
    if (open.kind === 'text') this.#hasText = true
    if (open.hasStarted) return this.#put({ type: `${open.kind}-delta`, id: open.id, text })
    open.hasStarted = true
    this.#put({ type: `${open.kind}-started`, id: open.id })
    this.#put({ type: `${open.kind}-delta`, id: open.id, text: open.lead + text })
  }
}
