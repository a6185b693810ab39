/** Where a name occurs on a page. A term is what a list item or a table row begins with. */
export type MentionPlace = 'heading' | 'term' | 'inline' | 'table' | 'property' | 'fence' | 'prose' | 'log'

/** What a mention may refer to; see `FactForm`. */
export type MentionForm =
  | 'name'
  | 'flag'
  | 'command'
  | 'feature'
  | 'endpoint'
  | 'file'
  | 'package'
  | 'parameter'
  | 'field'
  | 'claim'

/** A name, or a statement of its default value, on a page. */
export interface Mention {
  form: MentionForm
  key: string
  /** As written. */
  name: string
  /** Function of a parameter, command of a flag, operation of a field; empty without one. */
  owner: string
  /** Normalized value of a claim. */
  value: string
  line: number
  place: MentionPlace
  /** Package that a sample imports it from; empty if it does not say. */
  source: string
  /** Whether it stands alone in its code, is called or is imported: then even a plain word is a name. */
  isName: boolean
}
