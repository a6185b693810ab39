import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

export type ColorScheme = 'light' | 'dark'

/**
 * What axe finds serious or worse on a page, as short sentences.
 *
 * @param first The theme in which everything is looked at.
 * @param others Themes in which only what depends on colours is looked at again, because a theme changes nothing else.
 */
export async function findBarriers(page: Page, first: ColorScheme, ...others: ColorScheme[]): Promise<string[]> {
  await provideAxe(page)
  const barriers: string[] = []
  for (const colorScheme of [first, ...others]) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // A busy browser may still show a part in the colors of before.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    const found = await page.evaluate(runAxe, colorScheme === first ? null : colorRules)
    barriers.push(...found.map((barrier) => `${colorScheme}: ${barrier}`))
  }
  return barriers
}

/** Those of axe's rules that read colours. */
const colorRules = ['color-contrast', 'link-in-text-block']

let source: Promise<string> | null = null

/** Once for a document: reading it takes longer than to run it. */
async function provideAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in globalThis)) return
  source ??= readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  await page.evaluate(await source)
}

/** Runs in the page. */
async function runAxe(rules: string[] | null): Promise<string[]> {
  const { run } = Reflect.get(globalThis, 'axe') as typeof axe
  const { violations } = await run(
    // The library puts these at the ends of what is open, and sends the focus on from them at once.
    { exclude: ['[data-base-ui-focus-guard]'] },
    {
      resultTypes: ['violations'],
      // Never worse than moderate, and slow, because it looks at every text.
      rules: { region: { enabled: false } },
      ...(rules !== null && { runOnly: { type: 'rule', values: rules } }),
    },
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
