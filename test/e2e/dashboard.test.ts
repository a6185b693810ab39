import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { cheapPasswords } from '../support/member-browser.ts'
import {
  type DashboardPage,
  openWindow,
  owner,
  ownerToken,
  patience,
  signIn,
  throwFaults,
} from '../support/open-dashboard.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { closeWindows } from '../support/share-browser.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { focusedName, tabTo } from '../support/tab-to.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

// Each test walks through pages of a real browser, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: the dashboard in a browser. ${missingChromium}\n`)

/** As the build describes one of its files. */
interface BuiltChunk {
  file: string
  css?: string[]
  assets?: string[]
}

const question = { fp: 'anonymous', messages: [{ role: 'user', parts: [{ type: 'text', text: 'What is E-42?' }] }] }

describe.skipIf(!hasChromium)('the dashboard', () => {
  let docent: Docent
  let window: DashboardPage
  let page: Page
  beforeAll(async () => {
    docent = await startDocent({ passwordCost: cheapPasswords })
    window = await openWindow()
    page = window.page
  })
  afterAll(async () => {
    await closeWindows()
    await docent?.remove()
  })
  afterEach(() => throwFaults(window))

  const address = (path = '') => `${docent.url}/dashboard/default${path}`
  const ask = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await docent.post('/discovery/v2/assistant/docs/message', question, headers)
    await response.text()
    return response.status
  }

  it('is served with every file that its build names', async () => {
    const manifest = new URL('../../web/dashboard/dist/manifest.json', import.meta.url)
    const chunks = Object.values(JSON.parse(await readFile(manifest, 'utf8')) as Record<string, BuiltChunk>)
    const files = new Set(chunks.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]))

    const missing = await Promise.all(
      [...files].map(async (file) => ((await docent.get(`/dashboard/${file}`)).status === 200 ? [] : [file])),
    )

    expect(files.size).toBeGreaterThan(50)
    expect(missing.flat()).toEqual([])
  })

  // The first of the tests, because the link works once. Others go on in the same session.
  it('takes the owner from the first link to a key that answers, and to one that no longer does', async () => {
    await page.goto(`${docent.url}/dashboard/accept?token=${ownerToken(docent)}`)
    await page.getByLabel('Your name').fill(owner.name)
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password').fill(owner.password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem')
    await expectSteps(steps, ['To do', 'To do', 'To do'])

    await page.getByRole('link', { name: 'API keys' }).first().click()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Website')
    await page.getByRole('dialog').getByText('More', { exact: true }).click()
    await page.getByLabel('Expires').selectOption({ label: 'In 30 days' })
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const secret = await page.getByText(/^svc_dsc_[\w-]{43}$/).textContent()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Home' }).first().click()

    expect(await ask(secret ?? '')).toBe(200)
    await expectSteps(steps, ['Done', 'To do', 'To do'])
    await page.getByRole('link', { name: 'API keys' }).first().click()
    await page.getByRole('row', { name: /Website/ }).waitFor()
    const row = page.getByRole('row', { name: /Website/ })
    expect(await row.textContent()).toMatch(/Active/)
    expect(await page.content()).not.toContain(secret)

    await row.getByRole('button', { name: 'Actions for Website' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await row.getByText('Revoked').waitFor()

    expect(await ask(secret ?? '')).toBe(401)
  })

  it('asks who is not signed in, goes on to the page that was asked for, and forgets everything at the end', async () => {
    const { page, context, faults } = await openWindow()
    await signIn(page, address('/keys'))
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(await page.title()).toBe('API keys · Default · Docent')

    await page.getByRole('button', { name: `Account of ${owner.name}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Docent' }).waitFor()
    await page.goBack()

    await page.getByRole('heading', { name: 'Sign in to Docent' }).waitFor()
    expect(await page.getByText('First assistant key').count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  it('shows what others make while it is on the screen', async () => {
    await page.goto(address('/keys'))
    await page.getByRole('row', { name: /First assistant key/ }).waitFor()

    const created = await docent.post('/admin/v1/keys', { kind: 'admin', name: 'Made elsewhere' }, asAdmin)

    expect(created.status).toBe(201)
    await page.getByRole('row', { name: /Made elsewhere/ }).waitFor()
  })

  it('invites a member, who comes in with their own password and may not make keys', async () => {
    await page.goto(address('/members'))
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = new URL((await page.getByText(/\?token=[\w-]+$/).textContent()) ?? '')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('row', { name: /Anyone with the link/ }).waitFor()

    const guest = await openWindow()
    await guest.page.goto(`${docent.url}/dashboard/accept${link.search}`)
    await guest.page.getByLabel('Your name').fill('Grace Viewer')
    await guest.page.getByLabel('Email').fill('grace@example.com')
    await guest.page.getByLabel('Password').fill('nine quiet lanterns glow')
    await guest.page.getByRole('button', { name: 'Join' }).click()
    await guest.page.getByRole('link', { name: 'API keys' }).first().click()
    await guest.page.getByRole('row', { name: /First assistant key/ }).waitFor()

    expect(await guest.page.getByRole('button', { name: 'Create key' }).count()).toBe(0)
    expect(await guest.page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)
    expect(guest.faults).toEqual([])
    await guest.context.close()
  })

  it('is used by keyboard alone: signs in, goes to the keys by the palette, makes a key, revokes it and takes that back', async () => {
    const { page, context, faults } = await openWindow()
    const { keyboard } = page
    await page.goto(`${docent.url}/dashboard`)
    // The first field has the focus by itself.
    await page.getByLabel('Email').waitFor()
    await expect.poll(() => focusedName(page), patience).toBe('Email')
    await keyboard.type(owner.email)
    await tabTo(page, 'Password')
    await keyboard.type(owner.password)
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'How it’s going' }).waitFor()

    await keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search pages, objects and actions' }).waitFor()
    await keyboard.type('api k')
    await page.getByRole('option', { name: 'API keys' }).waitFor()
    await keyboard.press('Enter')
    await page.getByRole('row', { name: /First assistant key/ }).waitFor()

    await tabTo(page, 'Create key')
    await keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'Name')
    await keyboard.type('By keyboard')
    await keyboard.press('Enter')
    await page.getByText(/^svc_dsc_[\w-]{43}$/).waitFor()
    await keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => focusedName(page), patience).toBe('Create key')

    await tabTo(page, 'Actions for By keyboard')
    await keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Revoke' }).waitFor()
    // The menu takes the focus a moment after it is drawn.
    await expect.poll(() => page.locator('[role^=menu]:focus').count(), patience).toBe(1)
    await keyboard.press('ArrowDown')
    await expect.poll(() => focusedName(page), patience).toBe('Revoke …')
    await keyboard.press('Enter')
    const revoked = page.getByRole('row', { name: /By keyboard/ }).getByText('Revoked')
    await revoked.waitFor()

    await keyboard.press('z')
    await revoked.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await context.close()
  })
})

/** Each step is ticked when it has happened, and not before. */
async function expectSteps(steps: Locator, states: ('Done' | 'To do')[]): Promise<void> {
  await expect
    .poll(async () => {
      const shown = await steps.all()
      return Promise.all(shown.map(async (step) => ((await step.getByLabel('Done').count()) === 1 ? 'Done' : 'To do')))
    }, patience)
    .toEqual(states)
}
