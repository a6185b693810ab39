import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { readInstruction } from '../../src/models/offline-agent/read-instruction.ts'
import { jobTemplates } from '../../web/dashboard/pages/new-job/job-templates.ts'
import { runJob } from '../support/agent-jobs.ts'
import { findBarriers } from '../support/find-barriers.ts'
import { cheapPasswords } from '../support/member-browser.ts'
import { type DashboardPage, narrow, openWindow, setUpOwner, throwFaults, wide } from '../support/open-dashboard.ts'
import { closeWindows } from '../support/share-browser.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { tabTo } from '../support/tab-to.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

// Each test walks through pages of a real browser, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: the pages of jobs in a browser. ${missingChromium}\n`)

it('offers templates that the built-in model follows', () => {
  const understood = jobTemplates.filter(({ prompt }) => readInstruction(prompt) !== null).map(({ id }) => id)

  expect(understood).toEqual(['replace', 'rename', 'links', 'add'])
})

describe.skipIf(!hasChromium)('jobs in the dashboard', () => {
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
  afterEach(() => throwFaults(window))

  const address = (path = '') => `${docent.url}/dashboard/default${path}`
  /** Beneath the heading of a section. */
  const section = (name: string) => page.getByRole('region', { name })

  // The first of the tests: it begins where nothing is.
  it('go from a prompt to a merge that readers see, and on from there', async () => {
    await page.goto(address('/jobs'))
    await page.getByText('No jobs yet').waitFor()
    await page.getByRole('link', { name: 'New job' }).first().click()
    await page.getByText('Without a language model').waitFor()
    await page.getByLabel('Replace text everywhere').check()
    expect(await page.getByLabel('What to change').inputValue()).toContain('Replace "old text"')
    await page.getByLabel('What to change').fill('Replace "kiosk" by "booth" on every page.')
    await page.getByRole('button', { name: 'Start job' }).click()

    await section('Steps').getByText('Opened a pull request').waitFor()
    await section('Checks').getByText('The change adds no problem').waitFor()
    await section('Changes').getByText('booth').first().waitFor()
    expect(await section('Changes').locator('ins').first().textContent()).toBe('booth')
    await page.getByRole('button', { name: 'Merge …' }).click()
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await section('Pull request').getByText('Merged').waitFor()
    await section('Pull request').getByText('Up to date').waitFor()

    await page.getByText('The pull request is no longer open: the agent starts from the current branch').waitFor()
    await page.getByLabel('Follow-up message').fill('Replace "booth" by "stand" on every page.')
    await page.getByRole('button', { name: 'Send' }).click()
    await section('Steps').getByText('Opened a pull request').nth(1).waitFor()
    await section('Pull request').getByText('Open', { exact: true }).waitFor()
    expect(await page.getByLabel('Follow-up message').inputValue()).toBe('')

    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByText('Archived').first().waitFor()
    await page.getByLabel('Follow-up message').waitFor({ state: 'detached' })
  })

  it('are begun, read and continued by keyboard alone', async () => {
    const { keyboard } = page
    await page.goto(address('/jobs'))
    await page.getByRole('link', { name: 'New job' }).first().waitFor()
    await tabTo(page, 'New job')
    await keyboard.press('Enter')
    await page.getByLabel('What to change').waitFor()
    await tabTo(page, 'What to change')
    await keyboard.type('Replace "machine" by "device" on every page.')
    await tabTo(page, 'Start job')
    await keyboard.press('Enter')
    await section('Changes').getByText('device').first().waitFor()

    await tabTo(page, 'Follow-up message')
    await keyboard.type('Replace "device" by "apparatus" on every page.')
    await tabTo(page, 'Send')
    await keyboard.press('Enter')

    await section('Changes').getByText('apparatus').first().waitFor()
    expect(new URL(page.url()).pathname).toMatch(/\/jobs\/job_/)
  })

  it('are begun again and again by an automation, which an owner makes and runs by hand', async () => {
    await page.goto(address('/automations'))
    await page.getByText('No automations yet').waitFor()
    await page.getByRole('button', { name: 'New automation' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Cards')
    await dialog.getByLabel('Instructions').fill('Replace "card" by "disk" on every page.')
    await dialog.getByLabel('Trigger').selectOption('schedule')
    await dialog.getByLabel('Schedule').fill('every day')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Schedule').fill('0 6 * * *')
    await dialog.getByRole('button', { name: 'Save' }).click()

    await page
      .getByRole('row', { name: /^Cards/ })
      .getByText('0 6 * * *')
      .waitFor()
    const barriers = await findBarriers(page, 'dark')
    await page.getByRole('link', { name: 'Cards' }).click()
    await page.getByRole('button', { name: 'Run now' }).click()
    const run = section('Runs').getByRole('row', { name: /Manual/ })
    await run.getByText('Started').waitFor()
    barriers.push(...(await findBarriers(page, 'light')))
    await run.getByRole('link', { name: 'Job' }).click()
    await section('Steps').getByText('disk').first().waitFor()

    expect(barriers).toEqual([])
  })

  it('have nothing that keeps people out, light and dark, wide and narrow', async () => {
    const { id } = await runJob(docent, 'Replace "the" by "ye" on every page.')
    const found: string[] = []
    for (const [path, text] of [
      [`/jobs/${id}`, 'The change adds no problem'],
      ['/jobs', 'Prompt, title or branch'],
      ['/jobs/new', 'Something else'],
      ['/pull-requests', 'Repositories'],
    ] as const) {
      await page.setViewportSize(wide)
      await page.goto(address(path))
      await page.getByText(text).or(page.getByPlaceholder(text)).first().waitFor()
      found.push(...(await findBarriers(page, 'light')))
      await page.setViewportSize(narrow)
      found.push(...(await findBarriers(page, 'dark')))
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 390])
    }

    await page.setViewportSize(wide)
    expect(found).toEqual([])
  })

  it('lead to pages of pull requests, which their address alone opens', async () => {
    const { pullRequest } = await runJob(docent, 'Replace "sales" by "takings" on every page.')
    const guest = await openWindow({ viewport: narrow })

    await guest.page.goto(pullRequest?.url ?? '')
    await guest.page.getByText('Only signed-in owners and editors can merge').waitFor()
    expect(await guest.page.getByRole('navigation', { name: 'Dashboard' }).count()).toBe(0)
    await guest.context.close()
    await page.goto(pullRequest?.url ?? '')
    await page.getByRole('button', { name: 'Merge …' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search pages, objects and actions' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Merge …' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()

    await page.getByText('Ada Owner merged it').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/pull\//)
    await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'API keys' }).click()
    await page.waitForURL(address('/keys'))
  })
})
