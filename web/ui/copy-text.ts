/**
 * Puts text on the clipboard.
 *
 * Browsers have the clipboard only for pages that came over https or from this machine; the way through a selection works
 * on all others, such as a service in a company's own network.
 *
 * @returns Whether it is there.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('aria-hidden', 'true')
  // Inside of an open dialog, which would take the focus away from anything else.
  const place = focused?.closest('[role="dialog"]') ?? document.body
  place.append(area)
  area.select()
  // Named obsolete, and the only way on pages that came over http.
  const isCopied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
