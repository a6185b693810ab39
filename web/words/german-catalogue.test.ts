import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { makeGrammar, type Plural } from './fill-text.ts'
import { messageTexts } from '../../src/contract/message-texts.ts'
import { german } from './german/german.ts'
import { germanMessages } from './german/message-words.ts'
import { findLanguage } from './language.ts'

const formsOf = (text: string | Plural) => (typeof text === 'string' ? [text] : Object.values(text))
const placeholdersOf = (text: string) => (text.match(/\{\w+\}|<\/?\w+>/g) ?? []).toSorted()

it('has the placeholders and tags of the English in each German form', () => {
  const faults = Object.entries<string | Plural>(german).filter(([english, text]) =>
    formsOf(text).some((form) => placeholdersOf(form).join() !== placeholdersOf(english).join()),
  )
  expect(faults).toEqual([])
})

it('names in each sentence of the service what the English names', () => {
  const namesOf = (text: string | Plural) => formsOf(text).map((form) => placeholdersOf(form).join())
  const english: Record<string, string | Plural> = messageTexts

  const faults = Object.entries(germanMessages).filter(
    ([code, text]) => namesOf(text).join(';') !== namesOf(english[code] ?? '').join(';'),
  )

  expect(faults).toEqual([])
})

it('has both forms of each text with a number', () => {
  const plurals = Object.values<string | Plural>(german).filter((text) => typeof text !== 'string')
  expect(plurals.filter((forms) => !('one' in forms))).toEqual([])
})

it('has each text in one file only', async () => {
  const folder = new URL('german/', import.meta.url)
  const names = readdirSync(folder).filter(
    (name) => name.endsWith('-words.ts') && !['error-words.ts', 'message-words.ts', 'finding-words.ts'].includes(name),
  )

  const files = await Promise.all(names.map((name) => import(new URL(name, folder).href) as Promise<object>))

  const texts = files.flatMap((file) => Object.values(file).flatMap((words: object) => Object.keys(words)))
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
  expect(texts).toHaveLength(Object.keys(german).length)
})

it('writes numbers as Germans do', () => {
  const grammar = makeGrammar('de')

  expect(grammar.write(1234.5)).toBe('1.234,5')
  expect(grammar.choose(german['{count} files'], 1)).toBe('{count} Datei')
  expect(grammar.choose(german['{count} files'], 0)).toBe('{count} Dateien')
})

it.each([
  [['de-AT', 'en'], 'de'],
  [['fr', 'DE'], 'de'],
  [['en-GB', 'de'], 'en'],
  [['nl', ''], null],
] as const)('finds in %j the language %s', (tags, language) => {
  expect(findLanguage(tags)).toBe(language)
})
