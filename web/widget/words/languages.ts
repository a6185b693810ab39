/** The text of the button by language of the interface. It is in the first script, so there is only this one. */
export const launcherWords = {
  en: 'Ask',
  de: 'Fragen',
  fr: 'Demander',
  es: 'Preguntar',
  pt: 'Perguntar',
  ja: '質問する',
  zh: '提问',
} as const

export type Language = keyof typeof launcherWords

/**
 * The first language of a list that the interface has, by its main part: `pt` for `pt-BR`.
 *
 * @returns English if there is none.
 */
export function chooseLanguage(...tags: readonly (string | undefined)[]): Language {
  const main = tags.map((tag) => tag?.toLowerCase().split(/[-_]/)[0])
  return main.find((tag): tag is Language => (tag ?? '') in launcherWords) ?? 'en'
}
