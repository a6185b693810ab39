/** Kinds of facts that product source defines. */
export type FactForm =
  | 'exported'
  | 'member'
  | 'read'
  | 'parameter'
  | 'flag'
  | 'command'
  | 'feature'
  | 'variable'
  | 'default'
  | 'endpoint'
  | 'field'
  | 'package'
  | 'file'

/** Something that a file of the product defines. */
export interface Fact {
  form: FactForm
  /** See `nameKey`; for endpoints the path without its parameters, for files the path. */
  key: string
  /** As written. */
  name: string
  /** Key of the function of a parameter, the command of a flag, or `METHOD path` of a field; empty without one. */
  owner: string
  /** Normalized value of a default; empty for other forms. */
  value: string
  line: number
  /** Whether users of the product can reach it. */
  isPublic: boolean
}

/** What a file says: its words, which keep names alive, and its facts. */
export interface FileFacts {
  words: Set<string>
  facts: Fact[]
}

export const nameCharsMax = 80

/** `/v1/{id}/notes/` and `https://x.example/v1/:id/notes` are one: `/v1/*\/notes`. */
export function endpointKey(path: string): string {
  return path
    .replace(/^https?:\/\/[^/]*/, '')
    .replace(/[?#].*$/, '')
    .replaceAll(/\$?\{[^}]*\}|:[A-Za-z_]\w*|<[^>]*>|\$\{?\w+\}?/g, '*')
    .replace(/\/+$/, '')
    .toLowerCase()
}
