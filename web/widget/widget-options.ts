import { chooseLanguage, launcherWords } from './words/languages.ts'

/** A key combination, such as Ctrl+I. `mod` is the command key on Apple's systems and Ctrl elsewhere. */
export interface Hotkey {
  key: string
  mod: boolean
  ctrl: boolean
  meta: boolean
  alt: boolean
  shift: boolean
}

/** What the attributes of the script tag say. */
export interface WidgetOptions {
  /** Address of the service, without a trailing slash. */
  url: string
  /** The site's slug or one of its host names. */
  site: string
  key: string | undefined
  /** `panel` leaves the page usable, `modal` does not. */
  mode: 'panel' | 'modal'
  hotkey: Hotkey | null
  /** Whether the page asked for this hotkey, which then goes before the page's own. */
  isHotkeyChosen: boolean
  label: string
  theme: 'auto' | 'light' | 'dark'
  /** A BCP 47 tag; that of the page if absent. */
  language: string | undefined
}

/**
 * Reads the attributes of the script tag. Unknown values count as absent.
 *
 * @param source Address of the script; the service is where it comes from.
 * @returns Null without `data-site`.
 */
export function readOptions(data: Readonly<Record<string, string | undefined>>, source: string): WidgetOptions | null {
  const { site, key, mode, hotkey, label, theme, language } = data
  if (!site) return null
  return {
    // The service may be served below a path.
    url: source.replace(/\/widget\.js(?:[?#].*)?$/, ''),
    site,
    key,
    mode: mode === 'modal' ? 'modal' : 'panel',
    hotkey: readHotkey(hotkey ?? 'mod+i'),
    isHotkeyChosen: hotkey !== undefined,
    label: label || launcherWords[chooseLanguage(language, document.documentElement.lang)],
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
    language,
  }
}

/** @param text Such as `mod+k` or `/`. @returns Null for `none`. */
function readHotkey(text: string): Hotkey | null {
  const words = text.toLowerCase().split('+')
  const key = words.pop() ?? ''
  if (key === '' || key === 'none') return null
  const has = (...names: string[]) => names.some((name) => words.includes(name))
  return { key, mod: has('mod'), ctrl: has('ctrl'), meta: has('meta', 'cmd'), alt: has('alt'), shift: has('shift') }
}
