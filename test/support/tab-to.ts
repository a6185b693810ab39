import type { Page } from 'playwright-core'

/** What the focused element is called: by its label, or by its own words. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement)) return ''
    const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
    const label = isField ? element.labels?.[0]?.textContent : null
    return (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim()
  })
}

/** No page has as many stops. */
const stopsMax = 80

/** Goes on by the keyboard until something of this name has the focus; of a label, its first words are enough. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let stop = 0; stop < stopsMax; stop++) {
    const focused = await focusedName(page)
    if (focused === name || focused.startsWith(`${name} (`)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The keyboard does not reach ${name}.`)
}
