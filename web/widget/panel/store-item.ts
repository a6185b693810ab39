/** Keeps a value as JSON for the next page. Browsers may refuse storage; nothing is then kept. @param value Null removes it. */
export function storeItem(storage: 'localStorage' | 'sessionStorage', name: string, value: unknown): void {
  try {
    if (value === null) window[storage].removeItem(name)
    else window[storage].setItem(name, JSON.stringify(value))
  } catch {}
}
