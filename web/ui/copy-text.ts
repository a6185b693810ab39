/**
 * Copies text to the clipboard.
 *
 * The clipboard API is limited to https and localhost; copying a selection works everywhere, such as on a service in a
 * company network.
 *
 * @returns Whether it succeeded.
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
  // Inside an open dialog, which would otherwise take the focus back.
  const place = focused?.closest('[role="dialog"]') ?? document.body
  place.append(area)
  area.select()
  // Deprecated, but the only way on pages served over http.
  const isCopied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
