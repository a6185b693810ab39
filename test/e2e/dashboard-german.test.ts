import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cheapPasswords } from '../support/member-browser.ts'
import { type DashboardPage, narrow, openWindow, setUpOwner, wide } from '../support/open-dashboard.ts'
import { closeWindows } from '../support/share-browser.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

// Each test walks through pages of a real browser, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: the dashboard in German. ${missingChromium}\n`)

/** Pages with long words, and what stands on them once they are there. */
const pages = [
  { path: '/default', text: 'Erste Schritte' },
  { path: '/default/keys', text: 'Nutzung in diesem Monat' },
  { path: '/default/members', text: 'Zuletzt angemeldet' },
  { path: '/default/audit-log', text: 'Angemeldet' },
  { path: '/default/docs', text: 'Übereinstimmung mit der Quelle' },
  { path: '/default/docs/live', text: 'Adresse hinzufügen' },
  { path: '/default/docs/insights', text: 'Keine Fragen' },
  { path: '/default/docs/settings', text: 'Diese Website löschen' },
  { path: '/default/settings?view=webhooks', text: 'Endpunkt hinzufügen' },
  { path: '/default/operations', text: 'Arbeitsspeicher' },
  { path: '/default/jobs/new', text: 'Was geändert werden soll' },
  { path: '/default/pull-requests', text: 'Änderungen in Repositorys auf dem eingebauten Host' },
] as const

describe.skipIf(!hasChromium)('the dashboard in German', () => {
  let docent: Docent
  let window: DashboardPage
  beforeAll(async () => {
    docent = await startDocent({ passwordCost: cheapPasswords })
    window = await openWindow({ storageState: await setUpOwner(docent), locale: 'de-AT' })
  })
  afterAll(async () => {
    await closeWindows()
    await docent?.remove()
  })

  it.each(pages)('$path fits, wide and narrow', async ({ path, text }) => {
    const { page, faults } = window
    for (const viewport of [wide, narrow]) {
      await page.setViewportSize(viewport)
      await page.goto(`${docent.url}/dashboard${path}`)
      await page.getByText(text).first().waitFor({ state: 'attached' })

      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
      expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
    }
    expect(faults).toEqual([])
  })

  it('keeps the language that a person chooses over that of the browser', async () => {
    const { page } = window
    await page.setViewportSize(wide)
    await page.goto(`${docent.url}/dashboard/default/keys`)

    await page.getByRole('button', { name: 'Konto von Ada Owner' }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()

    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
  })
})
