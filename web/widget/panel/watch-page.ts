/** What themes and languages of pages change: those of Docusaurus, Starlight, Material for MkDocs, Bootstrap and others. */
const attributes = [
  'class',
  'style',
  'lang',
  'dir',
  'data-theme',
  'data-color-mode',
  'data-bs-theme',
  'data-md-color-scheme',
]

const darkSystem = matchMedia('(prefers-color-scheme: dark)')

/** Calls back whenever the theme or the language of the page may have changed, until the signal. */
export function watchPage(changed: () => void, signal: AbortSignal): void {
  const observer = new MutationObserver(changed)
  for (const element of [document.documentElement, document.body])
    observer.observe(element, { attributeFilter: attributes })
  darkSystem.addEventListener('change', changed, { signal })
  signal.addEventListener('abort', () => observer.disconnect())
}

/** The theme that the page shows, which need not be that of the system: as it is named, or else by its background. */
export function readTheme(): 'light' | 'dark' {
  const elements = [document.documentElement, document.body]
  const named = elements.flatMap(readNames).find((name) => name === 'light' || name === 'dark')
  if (named) return named
  const schemes = getComputedStyle(document.documentElement).colorScheme
  const isDark = /dark/.test(schemes)
  if (isDark !== /light/.test(schemes)) return isDark ? 'dark' : 'light'
  const lightness = elements.map(readLightness).findLast((value) => value !== undefined)
  if (lightness !== undefined) return lightness < 0.5 ? 'dark' : 'light'
  // Without a background, pages are white unless they leave that to the system.
  return (isDark || document.querySelector('meta[name=color-scheme][content*=dark]')) && darkSystem.matches
    ? 'dark'
    : 'light'
}

function readNames({ dataset, classList }: HTMLElement): readonly (string | undefined)[] {
  const { theme, colorMode, bsTheme, mdColorScheme } = dataset
  return [theme, colorMode, bsTheme, mdColorScheme === 'slate' ? 'dark' : undefined, ...classList]
}

/** From 0 to 1; undefined if the background is transparent. Exact enough to tell a dark page from a light one. */
function readLightness(element: HTMLElement): number | undefined {
  const { backgroundColor } = getComputedStyle(element)
  const [first = 0, second = 0, , alpha = 1] = (backgroundColor.match(/[\d.]+/g) ?? []).map(Number)
  if (alpha < 0.5) return undefined
  if (backgroundColor.startsWith('rgb')) return second / 255
  if (backgroundColor.startsWith('color')) return second
  return backgroundColor.startsWith('ok') ? first : first / 100
}
