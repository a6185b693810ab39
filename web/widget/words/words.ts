import type { english } from './english.ts'

export type WordName = keyof typeof english

/** A text by plural category of its language; `other` stands for those that are absent. */
export type Plural = { readonly other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

/** A catalogue of one language. */
export type Words = { readonly [Name in WordName]: (typeof english)[Name] extends string ? string : Plural }

type Placeholder<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never

type PlaceholderOf<Name extends WordName> = (typeof english)[Name] extends { other: infer Text }
  ? Placeholder<Text>
  : Placeholder<(typeof english)[Name]>

/** Values for the placeholders of a text; nothing for a text without any. */
export type WordValues<Name extends WordName> = [PlaceholderOf<Name>] extends [never]
  ? []
  : [values: { [Key in PlaceholderOf<Name>]: Key extends 'count' ? number : string | number }]
