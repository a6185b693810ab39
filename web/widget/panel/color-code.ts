import type { highlightCode } from './highlight-code.ts'

type Highlight = typeof highlightCode

let highlight: Highlight | null = null

/** Colors the code of a block that is complete. The highlighter is loaded with the first one; without it, code stays plain. */
export function colorCode(code: HTMLElement): void {
  const language = code.closest('.code')?.querySelector('span')?.textContent ?? ''
  if (language === '') return
  // At once where it can be, because an answer may be shown anew while it grows.
  if (highlight !== null) highlight(code, language)
  else void load().then((loaded) => loaded?.(code, language))
}

function load(): Promise<Highlight | null> {
  return import('./highlight-code.ts').then(
    ({ highlightCode }) => (highlight = highlightCode),
    () => null,
  )
}
