import { english, type PageWords } from './english.ts'
import { chinese } from './chinese.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { japanese } from './japanese.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'

const catalogues: Readonly<Record<string, PageWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  ja: japanese,
  zh: chinese,
}

/** The texts around a page by its language, such as `pt-BR`; English for languages without a catalogue. */
export function findPageWords(language: string): PageWords {
  const [main = ''] = language.toLowerCase().split(/[-_]/)
  return Object.hasOwn(catalogues, main) ? (catalogues[main] ?? english) : english
}

const rightToLeft = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'ug', 'ur', 'yi'])

export function findDirection(language: string): 'ltr' | 'rtl' {
  return rightToLeft.has(language.toLowerCase().split(/[-_]/)[0] ?? '') ? 'rtl' : 'ltr'
}
