/** Languages of the dashboard, each under its own name. */
export const languages = [
  { language: 'en', name: 'English' },
  { language: 'de', name: 'Deutsch' },
] as const

export type Language = (typeof languages)[number]['language']

/** What a person chooses: a language, or that of the browser. */
export type LanguageChoice = Language | 'system'

const storageName = 'docent-language'

/** The choice that was kept in this browser. */
export function readLanguageChoice(): LanguageChoice {
  try {
    return findLanguage([localStorage.getItem(storageName) ?? '']) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Keeps the choice and loads the window again, because texts are looked up once. */
export function changeLanguage(choice: LanguageChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem(storageName)
    else localStorage.setItem(storageName, choice)
  } catch {
    // Browsers may forbid storage; the language is then the browser's.
  }
  location.reload()
}

/**
 * The first of some tags whose language the dashboard has, by its main part: `de` for `de-AT`.
 *
 * @returns Null if there is none.
 */
export function findLanguage(tags: readonly string[]): Language | null {
  const known = tags.flatMap((tag) => languages.filter(({ language }) => language === tag.toLowerCase().split('-')[0]))
  return known[0]?.language ?? null
}

/** The language of this window: the chosen one, else the first of the browser's that the dashboard has. */
export const language: Language = chooseLanguage()

function chooseLanguage(): Language {
  // Tests without a window are in English on every machine.
  if (typeof document === 'undefined') return 'en'
  const choice = readLanguageChoice()
  return choice === 'system' ? (findLanguage(navigator.languages) ?? 'en') : choice
}
