import { cutText } from '../../contract/cut-text.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { LoopEvent } from '../../models/loop/loop-event.ts'
import { loadSkillName } from './load-skill-tool.ts'

/** JSON characters of tool results sent to readers in one answer; models get the full results. */
export const shownCharsMax = 32_000
const excerptCharsMax = 200
const excerptsMax = 20

/**
 * Bounds the tool results that readers see: enough to show what was found. Otherwise, an answer whose model reads whole
 * pages would be stored and sent at many times the size of its text.
 */
export class ShownOutputs {
  #left = shownCharsMax
  readonly #skillCalls = new Set<string>()

  /** @returns The event as readers may see it: for a skill, that it was loaded, but not its text. */
  show(event: LoopEvent): LoopEvent {
    if (event.type === 'tool-called' && event.toolName === loadSkillName) this.#skillCalls.add(event.callId)
    if (event.type !== 'tool-returned') return event
    const output = this.#skillCalls.has(event.callId) ? 'The model has read it.' : event.output
    return { ...event, output: this.shorten(output) }
  }

  /** @returns The full output while it fits, then excerpts, then empty lists. */
  shorten(output: JsonValue): JsonValue {
    if (this.#fits(output)) return output
    const short = excerpt(output)
    if (this.#fits(short)) return short
    return Array.isArray(output) ? [] : ''
  }

  #fits(shown: JsonValue): boolean {
    const chars = JSON.stringify(shown).length
    if (chars > this.#left) return false
    this.#left -= chars
    return true
  }
}

/** Outputs come from our own tools, so they nest only a few levels. */
function excerpt(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cutText(value, excerptCharsMax)
  if (Array.isArray(value)) return value.slice(0, excerptsMax).map(excerpt)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, excerpt(inner)]))
}
