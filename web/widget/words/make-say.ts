import type { Plural, WordName, Words, WordValues } from './words.ts'

/** Looks a text up and fills in its values, numbers as the language writes them. */
export type Say = <Name extends WordName>(name: Name, ...values: WordValues<Name>) => string

/** @param language A BCP 47 tag, such as `de`, for plurals and numbers. */
export function makeSay(language: string, words: Words): Say {
  const plurals = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  const choose = (forms: Plural, count: unknown) => forms[plurals.select(Number(count))] ?? forms.other
  return (name, ...[values]) => {
    // What `WordValues` demands, by name.
    const given = (values ?? {}) as Record<string, string | number>
    const found = words[name]
    const text = typeof found === 'string' ? found : choose(found, given['count'])
    return text.replace(/\{(\w+)\}/g, (_, key: string) => {
      const value = given[key] ?? ''
      return typeof value === 'number' ? numbers.format(value) : value
    })
  }
}
