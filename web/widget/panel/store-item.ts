/**
 * Keeps a value as JSON for the next page. @param value Null removes it.
 *
 * @returns False if the browser refuses storage or has none left; nothing is then kept.
 */
export function storeItem(storage: 'localStorage' | 'sessionStorage', name: string, value: unknown): boolean {
  try {
    if (value === null) window[storage].removeItem(name)
    else window[storage].setItem(name, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
