import { expect, it } from 'vitest'
import type { Plural } from '../../words/fill-text.ts'
import { english } from './english.ts'
import { chooseLanguage, type Language, launcherWords } from './languages.ts'
import { loadWords } from './load-words.ts'
import { makeSay } from './make-say.ts'
import type { Words } from './words.ts'

const formsOf = (text: string | Plural) => (typeof text === 'string' ? [text] : Object.values(text))
const placeholdersOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort().join()

const catalogues = Object.keys(launcherWords).filter((language): language is Language => language !== 'en')

it.each(catalogues)('has every text in %s, with the same placeholders and plural forms', async (language) => {
  const words = await loadWords(language)

  // Languages such as French have a category for millions, which `other` covers.
  const categories = new Set([0, 1, 2, 5].map((count) => new Intl.PluralRules(language).select(count)))
  const faults = Object.entries(english).filter(([name, original]) => {
    const text = words[name as keyof Words]
    const wanted = placeholdersOf(formsOf(original).at(-1) ?? '')
    const isFilled = formsOf(text).every((form) => placeholdersOf(form) === wanted)
    return !isFilled || (typeof text !== 'string' && ![...categories].every((category) => category in text))
  })
  expect(faults).toEqual([])
  const untranslated = Object.keys(english).filter((name) => Reflect.get(words, name) === Reflect.get(english, name))
  // Some words are the same in two languages.
  expect(untranslated.slice(4)).toEqual([])
})

it('says a number with the form and the digits of its language', async () => {
  const german = makeSay('de', await loadWords('de'))

  expect(german('resultCount', { count: 1 })).toBe('1 Ergebnis.')
  expect(german('resultCount', { count: 1_200 })).toBe('1.200 Ergebnisse.')
})

it('fills values in as they are, also those that look like placeholders', () => {
  expect(makeSay('en', english)('askQuery', { query: '{product} $& {query}' })).toBe('Ask “{product} $& {query}”')
})

it.each([
  [['pt-BR', 'de'], 'pt'],
  [[undefined, 'zh-Hans-CN'], 'zh'],
  [['nl', 'FR_ca'], 'fr'],
  [['', 'nl'], 'en'],
] as const)('chooses from %j the first that it has', (tags, language) => {
  expect(chooseLanguage(...tags)).toBe(language)
})
