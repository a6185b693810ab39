import type { ChatStreamPart } from '../chat-model.ts'
import { CodeState } from './code-state.ts'
import { markCharsMax, readThinkingMark, type ThinkingMark } from './read-thinking-mark.ts'

type TextDelta = Extract<ChatStreamPart, { type: 'text-delta' }>

interface Thought {
  family: ThinkingMark['family']
  /** Thoughts that are open within each other. */
  depth: number
  /**
   * What is text after all if the thought never ends, because its tag was only mentioned: everything from a tag in the
   * middle of a line, or after the last end within a thought that mentions more beginnings than ends.
   */
  doubtful: string | null
}

/** Where plain text may end. */
const textStops = /[`~<[◁\\\n]/
const thoughtStops = /[<[◁]/
/** From a sentence about the tags, such as "between <think> and </think>". */
const mention = /^<[^<>]*>\s*(?:and|or|to|und|oder|bis|,|-|–|…|\.{3})\s*$/

/**
 * Separates thinking that a model writes into its text, as `<think>…</think>`, from the answer.
 *
 * Tags in code, and escaped ones, are part of an answer about them. An end that nothing began is dropped: a template
 * began the thought for the model, and by then readers have seen it.
 */
export class ThinkingSplitter {
  /** Text that may belong to a mark. */
  #held = ''
  /** The piece of text being read. */
  #id = ''
  #parts: ChatStreamPart[] = []
  #thought: Thought | null = null
  #hasThought = false
  /** Empty space before the first text, which goes if a thought comes before it. Null behind. */
  #lead: string | null = ''
  /** The last character that was read. */
  #last = '\n'
  #code = new CodeState()

  /** @returns The parts to use instead; none while the text may belong to a mark. */
  split(part: TextDelta): readonly ChatStreamPart[] {
    const ended = part.id === this.#id ? [] : this.end()
    this.#id = part.id
    const isPlain = this.#held === '' && this.#thought === null && this.#lead === null && !this.#code.isLineStart
    // Nearly every delta.
    if (isPlain && part.delta !== '' && !textStops.test(part.delta)) {
      this.#last = part.delta.at(-1) ?? ''
      return [...ended, part]
    }
    this.#held += part.delta
    this.#read(false)
    return [...ended, ...this.#parts.splice(0)]
  }

  /** Releases text held back when a piece ends, by default the current one. */
  end(id = this.#id): readonly ChatStreamPart[] {
    if (id !== this.#id) return []
    this.#read(true)
    const rest = this.#thought?.doubtful ?? ''
    this.#thought = null
    this.#pass(rest)
    if (!this.#hasThought) this.#emit('text-delta', this.#lead ?? '')
    this.#hasThought = false
    this.#lead = ''
    this.#last = '\n'
    this.#code = new CodeState()
    return this.#parts.splice(0)
  }

  #read(isWhole: boolean): void {
    const text = this.#held
    let at = 0
    while (at < text.length) {
      const length = this.#thought === null ? this.#readText(text, at, isWhole) : this.#think(text, at, isWhole)
      if (length === 0) break
      at += length
      this.#last = text[at - 1] ?? ''
    }
    this.#held = text.slice(at)
  }

  /** @returns How many characters were read; 0 to wait for more. */
  #readText(text: string, at: number, isWhole: boolean): number {
    const length = this.#code.read(text, at, isWhole)
    if (length !== null) {
      this.#pass(text.slice(at, at + length))
      return length
    }
    const mark = readThinkingMark(text.slice(at, at + markCharsMax), isWhole)
    if (mark === 'begun') return 0
    if (mark !== null && this.#takeMark(mark, text.slice(at, at + mark.length))) return mark.length
    this.#code.endHead()
    this.#pass(text[at] ?? '')
    return 1
  }

  /** @returns Whether it is a mark where it stands. */
  #takeMark({ family, kind }: ThinkingMark, written: string): boolean {
    const isInLine = !this.#code.isLineStart
    const isKnown = this.#hasThought || family === 'channel' || family === 'bar'
    // "End with </think>." is about the tag.
    if (kind === 'close' && isInLine && !isKnown && /\s/.test(this.#last)) return false
    this.#hasThought = true
    if (kind !== 'open') return true
    this.#thought = { family, depth: 1, doubtful: isInLine && family !== 'channel' ? written : null }
    return true
  }

  #think(text: string, at: number, isWhole: boolean): number {
    const thought = this.#thought
    if (thought === null) return 0
    const stop = findStop(text, at)
    if (stop > at) return this.#addThought(thought, text.slice(at, stop))
    const mark = readThinkingMark(text.slice(at, at + markCharsMax), isWhole)
    if (mark === 'begun') return 0
    if (mark === null || mark.family !== thought.family) return this.#addThought(thought, text[at] ?? '')
    const written = text.slice(at, at + mark.length)
    if (this.#last === '`') {
      const next = text[at + mark.length]
      if (next === undefined && !isWhole) return 0
      if (next === '`') return this.#addThought(thought, written)
    }
    this.#takeMarkInThought(thought, mark, written)
    return mark.length
  }

  #takeMarkInThought(thought: Thought, { family, kind }: ThinkingMark, written: string): void {
    if (kind === 'drop') return
    if (kind === 'open') {
      if (family !== 'channel') thought.depth++
      return
    }
    thought.depth--
    if (thought.depth > 0) {
      thought.doubtful = ''
      return
    }
    this.#thought = null
    if (mention.test(thought.doubtful ?? '\n')) this.#pass(`${thought.doubtful ?? ''}${written}`)
  }

  #addThought(thought: Thought, text: string): number {
    if (thought.doubtful !== null) thought.doubtful += text
    this.#emit('reasoning-delta', text)
    return text.length
  }

  #pass(text: string): void {
    const lead = this.#lead
    if (lead === null) this.#emit('text-delta', text)
    else if (text.trim() === '') this.#lead = lead + text
    else {
      this.#lead = null
      this.#emit('text-delta', this.#hasThought ? text.trimStart() : lead + text)
    }
  }

  /** Not a part for each character or line. */
  #emit(type: 'text-delta' | 'reasoning-delta', delta: string): void {
    const last = this.#parts.at(-1)
    if (last?.type === type && last.id === this.#id) last.delta += delta
    else if (delta !== '') this.#parts.push({ type, id: this.#id, delta })
  }
}

function findStop(text: string, at: number): number {
  const found = text.slice(at).search(thoughtStops)
  return found === -1 ? text.length : at + found
}
