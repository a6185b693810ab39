import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds serious or worse on a page, as short sentences. */
export async function findBarriers(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate(axe.source)
  const results = await page.evaluate(() => {
    const { run } = Reflect.get(globalThis, 'axe') as typeof axe
    // The library puts these at the ends of what is open, and sends the focus on from them at once.
    return run({ exclude: ['[data-base-ui-focus-guard]'] }, { resultTypes: ['violations'] })
  })
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${colorScheme}: ${id}: ${html.slice(0, 200)}`))
}
