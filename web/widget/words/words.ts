import type { Placeholder, Plural } from '../../words/fill-text.ts'
import type { english } from './english.ts'

export type WordName = keyof typeof english

/** A catalogue of one language. */
export type Words = { readonly [Name in WordName]: (typeof english)[Name] extends string ? string : Plural }

type PlaceholderOf<Name extends WordName> = (typeof english)[Name] extends { other: infer Text }
  ? Placeholder<Text>
  : Placeholder<(typeof english)[Name]>

/** Values for the placeholders of a text; nothing for a text without any. */
export type WordValues<Name extends WordName> = [PlaceholderOf<Name>] extends [never]
  ? []
  : [values: { [Key in PlaceholderOf<Name>]: Key extends 'count' ? number : string | number }]
