import { endpointKey } from './fact.ts'
import type { PageLine } from './page-lines.ts'

const named = /(?<![\w-])(GET|PUT|POST|DELETE|PATCH)[ \t]+["'`]?(?:https?:\/\/[\w.:-]+)?(\/[\w{}:.<>/-]*)/
const curl =
  /\bcurl\b[^\n]{0,200}?(?:-X|--request)[ \t]*["']?(GET|PUT|POST|DELETE|PATCH)\b[^\n]{0,200}?https?:\/\/[\w.:-]+(\/[\w{}:.<>/-]*)/
const jsonKey = /"([A-Za-z_][\w.-]*)"[ \t]*:/g
const component = /<[A-Z]\w*[^>\n]{0,300}?\b(?:body|query|path|header|name)=["']([A-Za-z_][\w.-]*)["']/g
const cell = /^[ \t]*\|[ \t]*`?([A-Za-z_][\w.-]*)`?[ \t]*\|/

/**
 * Follows which operation of an API a page speaks of: from the line that names it to the next heading of its rank, so
 * that the fields below are those of this operation.
 */
export class OperationReader {
  #operation = ''
  #rank = 0
  #rankNow = 0

  /** `METHOD path` as facts have it; empty if the page speaks of none. */
  read({ text, place }: PageLine): string {
    if (place === 'heading') {
      this.#rankNow = /^#+/.exec(text)?.[0].length ?? 0
      if (this.#rankNow <= this.#rank) this.#operation = ''
    }
    const [, method, path = ''] = named.exec(text) ?? curl.exec(text) ?? []
    if (method === undefined) return this.#operation
    this.#rank = this.#rankNow
    this.#operation = `${method} ${endpointKey(path)}`
    return this.#operation
  }
}

/** Names of fields in a line about an operation that need no marks of their own. */
export function listFieldNames({ text, fence }: PageLine): string[] {
  const patterns = fence > 0 ? [jsonKey] : [component]
  const names = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name))
  const first = fence > 0 ? undefined : cell.exec(text)?.[1]
  return first === undefined ? names : [...names, first]
}
