/**
 * What the panel keeps in the browser, as JSON.
 *
 * @param storage By name, because browsers that refuse storage may refuse the property itself.
 * @returns Null where there is none.
 */
export function readItem(storage: 'localStorage' | 'sessionStorage', name: string): unknown {
  try {
    return JSON.parse(window[storage].getItem(name) ?? '')
  } catch {
    return null
  }
}
