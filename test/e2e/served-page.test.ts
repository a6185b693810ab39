import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildWeb } from '../support/build-web.ts'
import { findBarriers } from '../support/find-barriers.ts'
import { closeWindows, shareBrowser } from '../support/share-browser.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: pages of a site in a browser. ${missingChromium}\n`)

describe.skipIf(!hasChromium)('a page of a site', () => {
  let docent: Docent
  let page: Page
  let faults: string[]

  beforeAll(async () => {
    await buildWeb()
    docent = await startDocent()
  })
  afterAll(async () => {
    await closeWindows()
    await docent?.remove()
  })
  beforeEach(async () => {
    page = await (await shareBrowser()).newPage({ reducedMotion: 'reduce' })
    page.setDefaultTimeout(50_000)
    faults = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  })
  afterEach(() => page.close())

  it('searches and asks without a key of the reader, on whichever host it was reached by', async () => {
    const host = docent.url.replace('127.0.0.1', 'localhost')
    await page.goto(`${host}/sites/docs/guides/install`)
    await page.getByRole('link', { name: 'Search or ask' }).click()
    await page.getByRole('combobox').fill('What does the error E-42 mean?')
    await page.keyboard.press('Enter')

    const answer = page.locator('docent-widget').locator('article').last()
    await answer.getByRole('button', { name: 'Copy as Markdown' }).waitFor()
    expect(await answer.evaluate((element) => getComputedStyle(element).fontFamily)).toContain('Geist')
    await answer
      .getByRole('link', { name: /Printers/ })
      .first()
      .click()
    await page.waitForURL(`${host}/sites/docs/guides/printers*`)
    expect(faults).toEqual([])
  })

  it('has no barriers, with the drawer of a phone and in both themes, and remembers the theme', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${docent.url}/sites/docs/guides/printers`)
    expect(await findBarriers(page, 'light', 'dark')).toEqual([])
    await page.getByRole('button', { name: 'Theme of the system' }).click()
    await page.getByRole('button', { name: 'Light theme' }).click()
    await page.reload()
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')

    await page.setViewportSize({ width: 390, height: 844 })
    const drawer = page.getByRole('navigation', { name: 'Pages', exact: true })
    expect(await drawer.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Pages' }).click()
    expect(await drawer.isVisible()).toBe(true)
    expect(await findBarriers(page, 'dark')).toEqual([])
    await page.keyboard.press('Escape')
    expect(await drawer.isVisible()).toBe(false)
    expect(faults).toEqual([])
  })
})
