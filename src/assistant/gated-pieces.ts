import type { LoopEvent } from '../models/run-tool-loop.ts'
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
  #open: OpenPiece | null = null
  #hasText = false

  constructor(cited: CitedPages) {
    this.#cited = cited
  }

  /** @returns What may leave, in order. */
  pass(event: LoopEvent): LoopEvent[] {
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        return this.#write(this.#open?.gate.push(event.text) ?? '')
      case 'text-ended':
      case 'reasoning-ended':
        return []
      case 'text-started':
        return this.#start('text', event.id)
      case 'reasoning-started':
        return this.#start('reasoning', event.id)
      case 'step-started':
      case 'tool-called':
      case 'tool-returned':
      case 'tool-failed':
      case 'step-finished':
        return [...this.end(), event]
    }
  }

  /** Takes the end of everything, also of an answer that broke off. @returns What was held back. */
  end(): LoopEvent[] {
    const open = this.#open
    if (open === null) return []
    const events = this.#write(open.gate.end())
    this.#open = null
    return open.hasStarted ? [...events, { type: `${open.kind}-ended`, id: open.id }] : []
  }

  #start(kind: PieceKind, id: string): LoopEvent[] {
    if (this.#open?.kind === kind) return []
    const events = this.end()
    // Reasoning cites nothing, but may name what it reads.
    const policy = kind === 'text' ? this.#cited : { allow: (target: string) => this.#cited.allow(target), onLink() {} }
    const lead = kind === 'text' && this.#hasText ? '\n\n' : ''
    this.#open = { kind, id, gate: new LinkGate(policy), lead, hasStarted: false }
    return events
  }

  #write(text: string): LoopEvent[] {
    const open = this.#open
    if (open === null || text === '') return []
    if (open.kind === 'text') this.#hasText = true
    if (open.hasStarted) return [{ type: `${open.kind}-delta`, id: open.id, text }]
    open.hasStarted = true
    return [
      { type: `${open.kind}-started`, id: open.id },
      { type: `${open.kind}-delta`, id: open.id, text: open.lead + text },
    ]
  }
}
