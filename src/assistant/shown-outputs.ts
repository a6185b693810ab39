import { cutText } from '../contract/cut-text.ts'
import type { JsonValue } from '../contract/json.ts'

/** JSON characters of tool results that readers of one answer are sent; models get the whole of them. */
const shownCharsMax = 32_000
const excerptCharsMax = 200
const excerptsMax = 20

/**
 * Bounds what readers see of tool results: enough to show what was found, while an answer whose model reads whole pages
 * would otherwise be kept and sent at many times the size of its text.
 */
export class ShownOutputs {
  #left = shownCharsMax

  /** @returns The output whole as long as there is room, after that its excerpts, and in the end nothing of a list. */
  shorten(output: JsonValue): JsonValue {
    const shown = this.#fits(output) ? output : excerpt(output)
    const kept = this.#fits(shown) ? shown : Array.isArray(output) ? [] : ''
    this.#left -= JSON.stringify(kept).length
    return kept
  }

  #fits(output: JsonValue): boolean {
    return JSON.stringify(output).length <= this.#left
  }
}

/** Outputs are made by our tools, so that they nest only a few levels. */
function excerpt(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cutText(value, excerptCharsMax)
  if (Array.isArray(value)) return value.slice(0, excerptsMax).map(excerpt)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, excerpt(inner)]))
}
