import { english } from './english.ts'
import type { Language } from './languages.ts'
import type { Words } from './words.ts'

const loaders: Record<Language, () => Words | Promise<Words>> = {
  en: () => english,
  de: () => import('./german.ts').then(({ german }) => german),
  fr: () => import('./french.ts').then(({ french }) => french),
  es: () => import('./spanish.ts').then(({ spanish }) => spanish),
  pt: () => import('./portuguese.ts').then(({ portuguese }) => portuguese),
  ja: () => import('./japanese.ts').then(({ japanese }) => japanese),
  zh: () => import('./chinese.ts').then(({ chinese }) => chinese),
}

/** The catalogue of a language, in English where it cannot be loaded, or is of an older version of the widget. */
export async function loadWords(language: Language): Promise<Words> {
  try {
    return { ...english, ...(await loaders[language]()) }
  } catch {
    return english
  }
}
