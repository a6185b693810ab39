import type { ConfigFields } from '../site-config/config-fields.ts'

/** The languages of a site and the folders that their pages stand in. */
export interface SiteLocales {
  /** Language by folder; `''` is the language of pages outside all folders, absent where these have none. */
  byFolder: ReadonlyMap<string, string>
  defaultLanguage: string | null
}

/**
 * Reads `locales` as Starlight and VitePress write it: by folder, `root` for pages outside all folders. Readers name a language as
 * the address does; that of the root goes by the first part of its code.
 *
 * @param defaultLocale The folder that is shown first where there is no `root`.
 */
export function readLocales(locales: ConfigFields, defaultLocale: string | null): SiteLocales {
  const byFolder = new Map<string, string>()
  for (const key of locales.keys()) {
    const language = locales.fields(key).text('lang')
    if (key === 'root') byFolder.set('', (language ?? 'en').replace(/-.*$/, ''))
    else byFolder.set(key.replace(/^\/|\/$/g, ''), key.replace(/^\/|\/$/g, ''))
  }
  const first = byFolder.get('') ?? byFolder.get(defaultLocale ?? '') ?? [...byFolder.values()][0]
  return { byFolder, defaultLanguage: first ?? null }
}

/** The folder of the language that a path below the site's root begins with, `''` for none. */
export function localeFolderOf(path: string, locales: SiteLocales): string {
  const [first = ''] = path.split('/')
  return locales.byFolder.has(first) ? first : ''
}

/** Languages with the default one first. */
export function defaultFirst(languages: readonly string[], fallback: string | undefined): string[] {
  return fallback === undefined ? [...languages] : [fallback, ...languages.filter((language) => language !== fallback)]
}
