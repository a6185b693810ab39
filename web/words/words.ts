import type { ErrorCode } from '../../src/contract/error-codes.ts'
import type { MessageCode } from '../../src/contract/message-texts.ts'
import type { Plural } from './fill-text.ts'
import type { german } from './german/german.ts'

/** An English text that the catalogues have: a text without a translation does not compile. */
export type Text = keyof typeof german

export type PluralText = { [Key in Text]: (typeof german)[Key] extends string ? never : Key }[Text]
export type PlainText = Exclude<Text, PluralText>

/** What an error of the service means and what to do, as in the contract's advice. */
export type ErrorWords = Readonly<Record<ErrorCode, { readonly meaning: string; readonly action: string }>>

/** The sentences of the service by their code, with the values of the English. */
export type MessageWords = Readonly<Record<Exclude<MessageCode, 'verbatim'>, string | Plural>>

/** The catalogue of a language. */
export interface Words {
  /** The translation of each English text. */
  readonly texts: { readonly [Key in PlainText]: string } & { readonly [Key in PluralText]: Plural }
  readonly errors: ErrorWords
  readonly messages: MessageWords
  /** What a finding is about, by its rule. */
  readonly findings: Readonly<Record<string, string>>
}
