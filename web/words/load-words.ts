import type { Language } from './language.ts'
import type { Words } from './words.ts'

/** One chunk a language, which only its readers load. */
const loaders: Record<Exclude<Language, 'en'>, () => Promise<Words>> = {
  de: () => import('./german/german-catalogue.ts').then(({ germanCatalogue }) => germanCatalogue),
}

/** @returns Null for English, whose texts are in the pages, and if a catalogue cannot be loaded. */
export async function loadWords(language: Language): Promise<Words | null> {
  if (language === 'en') return null
  try {
    return await loaders[language]()
  } catch {
    return null
  }
}
