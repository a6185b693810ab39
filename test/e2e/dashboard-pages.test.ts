import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findBarriers } from '../support/find-barriers.ts'
import { cheapPasswords } from '../support/member-browser.ts'
import { type DashboardPage, narrow, openWindow, patience, setUpOwner, wide } from '../support/open-dashboard.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { closeWindows } from '../support/share-browser.ts'
import { adminKey, type Docent, startDocent } from '../support/start-docent.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

// Each test walks through pages of a real browser, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: the pages of the dashboard. ${missingChromium}\n`)

/** Does something wherever it is taken for markup. */
const hostileName = `<img src=x onerror="document.title='hacked'">'"><script>document.title='hacked'</script>`

/** Every page, and what stands on it once it is there. */
const pages = [
  { path: '/sign-in', text: 'Sign in to Docent' },
  { path: '/accept?token=unknown', text: 'This link does not work' },
  { path: '/default', text: 'First steps' },
  { path: '/default/keys', text: 'First assistant key' },
  { path: '/default/members', text: 'Ada Owner' },
  { path: '/default/audit-log', text: 'Signed in' },
  { path: '/default/docs', text: 'Revision' },
  { path: '/default/docs/playground', text: 'Ask a question that a reader might ask' },
  { path: '/default/docs/live', text: 'Add address' },
  { path: '/default/docs/search?q=paper', text: 'Passages (' },
  { path: '/default/docs/conversations', text: 'No conversations yet' },
  { path: '/default/docs/settings', text: 'Delete this site' },
  { path: '/default/settings?view=brand', text: 'Choose an image' },
  { path: '/default/jobs/new', text: 'What to change' },
  { path: '/default/new', text: 'Repository URL' },
  { path: '/default/nowhere', text: 'There is no site with this name.' },
  { path: '/nobody', text: 'There is no page at this address.' },
] as const

describe.skipIf(!hasChromium)('the pages of the dashboard', () => {
  let docent: Docent
  let window: DashboardPage
  let page: Page
  beforeAll(async () => {
    docent = await startDocent({ passwordCost: cheapPasswords })
    window = await openWindow({ storageState: await setUpOwner(docent) })
    page = window.page
  })
  afterAll(async () => {
    await closeWindows()
    await docent?.remove()
  })

  it.each(pages)('$path has nothing that keeps people out, light and dark, wide and narrow', async ({ path, text }) => {
    await page.setViewportSize(wide)
    await page.goto(`${docent.url}/dashboard${path}`)
    await page.getByText(text).filter({ visible: true }).first().waitFor()

    const barriers = await findBarriers(page, 'light')
    await page.setViewportSize(narrow)
    barriers.push(...(await findBarriers(page, 'dark')))

    expect(barriers).toEqual([])
    expect(await page.locator('h1').count()).toBe(1)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(window.faults).toEqual([])
  })

  it('has nothing that keeps people out around its pages, wide and dark, narrow and light', async () => {
    await page.setViewportSize(wide)
    await page.goto(`${docent.url}/dashboard/default/keys`)
    await page.getByText('First assistant key').waitFor()

    const barriers = await findBarriers(page, 'dark')
    await page.setViewportSize(narrow)
    barriers.push(...(await findBarriers(page, 'light')))

    expect(barriers).toEqual([])
  })

  it('leaves room for tables between phones and wide screens, with a rail of named icons', async () => {
    await page.setViewportSize({ width: 1_024, height: 768 })
    await page.goto(`${docent.url}/dashboard/default/keys`)
    await page.getByText('First assistant key').waitFor()
    const rail = page.getByRole('navigation', { name: 'Dashboard' })

    expect((await rail.boundingBox())?.width).toBeLessThanOrEqual(56)
    expect((await rail.getByRole('link', { name: 'Audit log' }).boundingBox())?.width).toBeLessThanOrEqual(56)
    const row = await page.getByRole('row', { name: 'First assistant key' }).boundingBox()
    expect(row?.height).toBeLessThan(90)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1_024)
    expect(await findBarriers(page, 'light')).toEqual([])
  })

  it('cuts the long name of a site before it covers anything', async () => {
    const name = 'The documentation of a platform for administrators'
    await page.setViewportSize(wide)
    await page.goto(`${docent.url}/dashboard/default/docs`)
    await page.getByText('Revision').first().waitFor()
    await page.evaluate((text) => {
      const shown = document.querySelector('header button span:not([aria-hidden])')
      if (shown !== null) shown.textContent = text
    }, name)

    const [place, account, links] = await Promise.all([
      page.getByRole('button', { name: /switch the organization or site$/ }).boundingBox(),
      page.getByRole('button', { name: 'Account of Ada Owner' }).boundingBox(),
      page.getByRole('navigation', { name: 'Dashboard' }).boundingBox(),
    ])

    expect((place?.x ?? 0) + (place?.width ?? Infinity)).toBeLessThanOrEqual(account?.x ?? 0)
    expect((account?.y ?? 0) + (account?.height ?? Infinity)).toBeLessThanOrEqual(links?.y ?? 0)
  })

  it('scrolls a table of an answer before it breaks words', async () => {
    await page.setViewportSize(narrow)
    await page.goto(`${docent.url}/dashboard/default/docs/playground`)
    await page.getByLabel('Question').fill('How many tickets per sale are allowed?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    const table = page.getByRole('group', { name: 'Table' }).first()
    await table.waitFor()

    const hidden = await table.evaluate((frame) => {
      frame.style.width = '6rem'
      return frame.scrollWidth - frame.clientWidth
    })

    expect(hidden).toBeGreaterThan(0)
    await page.setViewportSize(wide)
  })

  it('has nothing that keeps people out in dialogs, menus and the palette', async () => {
    await page.setViewportSize(wide)
    await page.goto(`${docent.url}/dashboard/default/keys`)

    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog').waitFor()
    const barriers = await findBarriers(page, 'dark')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions for First assistant key' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).waitFor()
    barriers.push(...(await findBarriers(page, 'light')))
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Members' }).waitFor()
    barriers.push(...(await findBarriers(page, 'dark')))

    expect(barriers).toEqual([])
    expect(window.faults).toEqual([])
  })

  it('runs and styles nothing that is written into the page, and these tests would see it', async () => {
    const { page, context, faults } = await openWindow()
    await page.goto(`${docent.url}/dashboard/sign-in`)
    await page.getByLabel('Email').waitFor()
    expect(faults).toEqual([])

    await page.evaluate(() => {
      const style = document.createElement('style')
      style.textContent = 'body { display: none }'
      const script = document.createElement('script')
      script.textContent = 'document.title = "hacked"'
      document.head.append(style, script)
    })

    await expect.poll(() => faults.length, patience).toBe(2)
    expect(faults.join()).toMatch(/^style-src-elem inline.*,script-src-elem inline/)
    expect(await page.title()).toBe('Sign in · Docent')
    await context.close()
  })

  it('shows names as what they are, whatever they hold', async () => {
    const created = await docent.post('/admin/v1/keys', { kind: 'admin', name: hostileName }, asAdmin)
    expect(created.status).toBe(201)
    const renamed = await fetch(`${docent.url}/admin/v1/sites/docs`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: hostileName }),
    })
    expect(renamed.status).toBe(200)

    for (const path of ['/default', '/default/keys', '/default/docs', '/default/audit-log']) {
      await page.goto(`${docent.url}/dashboard${path}`)
      await page.getByText(hostileName).first().waitFor()
      expect(await page.title()).not.toBe('hacked')
      expect(await page.locator('img').count()).toBe(0)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: hostileName }).first().waitFor()

    expect(await page.title()).not.toBe('hacked')
    expect(window.faults).toEqual([])
  })
})
