const attributes = ['data-theme', 'class', 'data-md-color-scheme']

/**
 * Tells the theme that the page shows, now and whenever it changes. `auto` stands for that of the system.
 *
 * @returns Stops watching.
 */
export function watchTheme(tell: (theme: 'auto' | 'light' | 'dark') => void): () => void {
  const update = () => tell(readTheme())
  const observer = new MutationObserver(update)
  for (const element of [document.documentElement, document.body]) {
    observer.observe(element, { attributes: true, attributeFilter: attributes })
  }
  update()
  return () => observer.disconnect()
}

function readTheme(): 'auto' | 'light' | 'dark' {
  for (const element of [document.documentElement, document.body]) {
    const { theme, mdColorScheme } = element.dataset
    if (theme === 'light' || theme === 'dark') return theme
    if (element.classList.contains('dark')) return 'dark'
    if (element.classList.contains('light')) return 'light'
    // Material for MkDocs: `slate` is its dark scheme; sites may add light ones.
    if (mdColorScheme) return mdColorScheme === 'slate' ? 'dark' : 'light'
  }
  return 'auto'
}
