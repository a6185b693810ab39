import { fillText, makeGrammar } from '../../words/fill-text.ts'
import type { WordName, Words, WordValues } from './words.ts'

/** Looks a text up and fills in its values, numbers as the language writes them. */
export type Say = <Name extends WordName>(name: Name, ...values: WordValues<Name>) => string

/** @param language A BCP 47 tag, such as `de`, for plurals and numbers. */
export function makeSay(language: string, words: Words): Say {
  const grammar = makeGrammar(language)
  return (name, ...[values]) => {
    // What `WordValues` demands, by name.
    const given = (values ?? {}) as Record<string, string | number>
    const found = words[name]
    const text = typeof found === 'string' ? found : grammar.choose(found, Number(given['count']))
    return fillText(text, given, grammar)
  }
}
