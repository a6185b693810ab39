import type { ChatStreamPart } from '../chat-model.ts'

type TextDelta = Extract<ChatStreamPart, { type: 'text-delta' }>

/** Tags by which open models mark their thinking if their server does not separate it, in lower case. */
const tags: readonly (readonly [open: string, close: string])[] = [
  ...['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'seed:think'].map(
    (name) => [`<${name}>`, `</${name}>`] as const,
  ),
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  // The channels of gpt-oss.
  ['<|channel|>analysis<|message|>', '<|start|>assistant<|channel|>final<|message|>'],
]
/** Templates that begin the thought for the model leave only its end, if it thinks nothing. */
const starts = [
  ...tags.flatMap(([open, close]) => [
    { mark: open, close },
    { mark: close, close: null },
  ]),
  { mark: '<|channel|>final<|message|>', close: null },
]

const ends = tags.map(([, close]) => close)
const fences = ['```', '~~~']

/**
 * Separates thinking that a model writes into its text, as `<think>…</think>`, from the answer.
 *
 * Only at the start of a piece of text: further down, the tags are part of an answer about them. Except for an end that
 * nothing began and that begins a line outside of code, which is dropped: a template began the thought for the model, and
 * by then readers have seen it.
 */
export class ThinkingSplitter {
  /** `start` and `line`: the text, or a line of it, may still turn out to begin with a tag. */
  #state: 'start' | 'line' | 'text' | { close: string } = 'start'
  #isCode = false
  /** Text that may belong to a tag. */
  #held = ''
  /** Whether thinking came before, which separates itself from the text by empty lines. */
  #hasThought = false
  /** The piece of text being read. */
  #id = ''

  /** @returns The parts to use instead; none while the text may belong to a tag. */
  split(part: TextDelta): readonly ChatStreamPart[] {
    const parts = part.id === this.#id ? [] : [...this.end()]
    this.#id = part.id
    // Nearly every delta.
    if (this.#state === 'text' && !part.delta.includes('\n')) return [part]
    this.#held += part.delta
    while (this.#advance(part, parts)) continue
    return parts
  }

  /** Releases text held back when a piece ends, by default the current one. */
  end(id = this.#id): readonly ChatStreamPart[] {
    if (id !== this.#id) return []
    const isThinking = typeof this.#state === 'object'
    const delta = this.#hasThought && !isThinking ? this.#held.trimStart() : this.#held
    const type = isThinking ? 'reasoning-delta' : 'text-delta'
    this.#held = ''
    this.#hasThought = false
    this.#state = 'start'
    this.#isCode = false
    return delta === '' ? [] : [{ type, id, delta }]
  }

  /** @returns Whether there may be more to do. */
  #advance(part: TextDelta, parts: ChatStreamPart[]): boolean {
    if (typeof this.#state === 'object') return this.#think(part, this.#state.close, parts)
    if (this.#state === 'text') return this.#passText(part, parts)
    if (this.#state === 'line') return this.#beginLine()
    const text = this.#held.trimStart()
    const lower = text.toLowerCase()
    const found = starts.find(({ mark }) => lower.startsWith(mark))
    if (found !== undefined) {
      this.#held = text.slice(found.mark.length)
      if (found.close !== null) this.#state = { close: found.close }
      this.#hasThought = true
      return true
    }
    if (starts.some(({ mark }) => mark.startsWith(lower))) return false
    if (this.#hasThought) this.#held = text
    this.#hasThought = false
    this.#state = 'line'
    return true
  }

  /** Passes text on, up to the start of the last line that may be a tag. */
  #passText(part: TextDelta, parts: ChatStreamPart[]): boolean {
    const end = this.#held.indexOf('\n') + 1
    const delta = end === 0 ? this.#held : this.#held.slice(0, end)
    const last = parts.at(-1)
    // Not a part for each line.
    if (last?.type === 'text-delta' && last.id === part.id) last.delta += delta
    else parts.push({ ...part, delta })
    this.#held = this.#held.slice(delta.length)
    if (end > 0) this.#state = 'line'
    return this.#held !== ''
  }

  #beginLine(): boolean {
    const lower = this.#held.toLowerCase()
    const marks = this.#isCode ? fences : [...ends, ...fences]
    const found = marks.find((mark) => lower.startsWith(mark))
    if (found === undefined && marks.some((mark) => mark.startsWith(lower))) return false
    if (found !== undefined && fences.includes(found)) this.#isCode = !this.#isCode
    else if (found !== undefined) this.#held = this.#held.slice(found.length)
    this.#state = 'text'
    return this.#held !== ''
  }

  #think({ id }: TextDelta, close: string, parts: ChatStreamPart[]): boolean {
    const lower = this.#held.toLowerCase()
    const end = lower.indexOf(close)
    const kept = end === -1 ? countPartOf(close, lower) : 0
    const thought = end === -1 ? this.#held.slice(0, this.#held.length - kept) : this.#held.slice(0, end)
    if (thought !== '') parts.push({ type: 'reasoning-delta', id, delta: thought })
    this.#held = end === -1 ? this.#held.slice(thought.length) : this.#held.slice(end + close.length).trimStart()
    if (end !== -1) this.#state = 'start'
    return end !== -1
  }
}

/** How many characters at the end of a text may be the start of a tag. */
function countPartOf(tag: string, text: string): number {
  let length = Math.min(tag.length - 1, text.length)
  while (length > 0 && !text.endsWith(tag.slice(0, length))) length--
  return length
}
