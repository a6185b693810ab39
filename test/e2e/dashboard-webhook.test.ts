import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestForge, testForges } from '../support/forge-kinds.ts'
import { cheapPasswords } from '../support/member-browser.ts'
import { openWindow, setUpOwner, throwFaults } from '../support/open-dashboard.ts'
import { closeWindows } from '../support/share-browser.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

// A real browser, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: a webhook in a browser. ${missingChromium}\n`)

describe.skipIf(!hasChromium)('the last step of adding a repository', () => {
  let docent: Docent
  let forge: TestForge
  beforeAll(async () => {
    docent = await startDocent({ passwordCost: cheapPasswords, env: { DOCENT_ALLOW_PRIVATE_ADDRESSES: 'true' } })
    forge = await testForges.gitea()
  })
  afterAll(async () => {
    await closeWindows()
    await docent?.remove()
    await forge?.stop()
  })

  it('asks for the webhook by itself, says what is in the way, and shows what is entered by hand', async () => {
    const window = await openWindow({ storageState: await setUpOwner(docent) })
    const { page } = window
    await page.goto(`${docent.url}/dashboard/default/new`)
    await page.getByLabel('Address of the repository').fill(forge.location)
    await page.getByLabel('Access token').fill(forge.token)
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByLabel('Slug').fill('guide')
    await page.getByRole('button', { name: 'Add the site' }).click()
    const card = page.getByLabel('Webhook', { exact: true })
    await card.getByText(/No code host reaches http:\/\/127\.0\.0\.1:\d+: set DOCENT_BASE_URL/).waitFor()
    await card.getByRole('button', { name: 'Show the address and secret' }).click()

    const dialog = page.getByRole('dialog')
    await dialog.getByText(/\/webhooks\/gitea\/site_/).waitFor()
    expect(forge.hooks.all).toEqual([])
    throwFaults(window)
  })
})
