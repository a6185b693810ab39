/** A text by plural category of its language; `other` replaces absent ones. */
export type Plural = { readonly other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

/** Names in `{braces}`, and of `<tags>…</tags>`. */
export type Placeholder<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never

/** Chooses among the forms of a text, and writes values as its language does. */
export interface Grammar {
  choose(forms: Plural, count: number): string
  /** Numbers get the digits and separators of the language; strings stay as they are. */
  write(value: string | number): string
}

/** @param language A BCP 47 tag, such as `de`. */
export function makeGrammar(language: string): Grammar {
  const plurals = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  return {
    choose: (forms, count) => forms[plurals.select(count)] ?? forms.other,
    write: (value) => (typeof value === 'number' ? numbers.format(value) : value),
  }
}

/** Replaces `{name}` by the value of that name. Values are not searched again. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>, { write }: Grammar): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => write(values[name] ?? ''))
}
