import type { ConfigFields } from '../site-config/config-fields.ts'

/** The languages of a site and their folders. */
export interface SiteLocales {
  /** Folder → language. `''` is the language of pages outside all folders; absent if they have none. */
  byFolder: ReadonlyMap<string, string>
  defaultLanguage: string | null
}

/**
 * Reads `locales` of Starlight and VitePress: by folder, with `root` for pages outside all folders. Languages are named
 * as in addresses; the root language by the first part of its code.
 *
 * @param defaultLocale The default folder if there is no `root`.
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

/** The language folder of a path below the site's root, `''` if none. */
export function localeFolderOf(path: string, locales: SiteLocales): string {
  const [first = ''] = path.split('/')
  return locales.byFolder.has(first) ? first : ''
}

/** Moves the default language to the front. */
export function defaultFirst(languages: readonly string[], fallback: string | undefined): string[] {
  return fallback === undefined ? [...languages] : [fallback, ...languages.filter((language) => language !== fallback)]
}
