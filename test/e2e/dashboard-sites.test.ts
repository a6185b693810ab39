import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { findBarriers } from '../support/find-barriers.ts'
import { createGitRepository, type GitRepository } from '../support/git-repository.ts'
import { cheapPasswords } from '../support/member-browser.ts'
import { type DashboardPage, openWindow, owner, ownerToken, patience, throwFaults } from '../support/open-dashboard.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { closeWindows } from '../support/share-browser.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { focusedName, tabTo } from '../support/tab-to.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

// Each test walks through pages of a real browser, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: the pages of a site in a browser. ${missingChromium}\n`)

/** How many pixels of a page have the colour of a lit passage: its style cannot be read. */
async function countLit(page: Page): Promise<number> {
  await page.emulateMedia({ colorScheme: 'light' })
  const picture = (await page.screenshot()).toString('base64')
  return page.evaluate(async (data) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (char) => char.charCodeAt(0))]))
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')
    canvas?.drawImage(image, 0, 0)
    const pixels = new Uint32Array(canvas?.getImageData(0, 0, image.width, image.height).data.buffer ?? [])
    return pixels.filter((pixel) => pixel === 0xff_9a_e7_ff).length
  }, picture)
}

const question = 'What does the error E-42 mean?'

describe.skipIf(!hasChromium)('the pages of a site', () => {
  let docent: Docent
  let repository: GitRepository
  let window: DashboardPage
  let page: Page
  beforeAll(async () => {
    docent = await startDocent({ passwordCost: cheapPasswords })
    repository = await createGitRepository()
    await repository.write('docs/index.md', '# Lantern\n\nThe lantern glows for nine hours.\n')
    await repository.write('docs/broken.mdx', '# Broken\n\nSee <Card title="never closed"\n')
    repository.commit()
    window = await openWindow()
    page = window.page
  })
  afterAll(async () => {
    await closeWindows()
    await docent?.remove()
    await repository?.remove()
  })
  afterEach(() => throwFaults(window))

  const address = (path = '') => `${docent.url}/dashboard/default${path}`
  const ask = async (text: string) => {
    await page.getByLabel('Question').fill(text)
    await page.keyboard.press('Enter')
  }

  /** Opens the card of the first source by the keyboard, closes it, and follows the number to the lit passage. */
  const expectEvidence = async (answer: Locator) => {
    const number = answer.getByRole('link', { name: /^Source 1: Printers/ }).first()
    const card = answer.getByRole('group', { name: /^Source 1: Printers/ })
    await number.focus()
    expect(await card.getByText(/paper/).first().textContent()).toContain('E-42')
    await page.keyboard.press('Tab')
    expect(await focusedName(page)).toBe('Open page')
    expect(await findBarriers(page, 'light', 'dark')).toEqual([])
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    expect(await focusedName(page)).toMatch(/^Source 1: Printers/)

    const [opened] = await Promise.all([page.context().waitForEvent('page'), number.click()])
    await opened.waitForURL(/\/sites\/docs\/guides\/printers#/)
    await expect.poll(() => countLit(opened), patience).toBeGreaterThan(100)
    await opened.close()
  }

  // The first of the tests, because the link works once. The others go on in the same session.
  it('takes the owner from the first link to the first answer, with its sources, verdict, steps and numbers', async () => {
    await page.goto(`${docent.url}/dashboard/accept?token=${ownerToken(docent)}`)
    await page.getByLabel('Your name').fill(owner.name)
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password').fill(owner.password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('link', { name: 'Ask it in the playground' }).click()
    await ask(question)

    const answer = page.getByRole('region', { name: 'Answer', exact: true })
    await answer.getByText('Supported').first().waitFor()
    expect(await answer.getByText(/paper/).first().textContent()).toBeTruthy()
    expect(await answer.getByRole('link', { name: 'Printers' }).first().getAttribute('href')).toMatch(
      /^http.*\/guides\/printers/,
    )
    await answer.getByText(/^Steps \(\d+\)/).click()
    await answer.getByText('docent/offline').waitFor()
    expect(await answer.textContent()).toMatch(/search.*Total time.*ms.*Tokens.*in, .*out.*Cost/s)
    expect(await findBarriers(page, 'light', 'dark')).toEqual([])
    await expectEvidence(answer)

    await page.getByRole('button', { name: 'Regenerate answer' }).click()
    await page.getByText('The answer is complete.').waitFor()
    expect(await answer.count()).toBe(1)
    const { items } = (await (await docent.get('/admin/v1/sites/docs/threads', asAdmin)).json()) as { items: unknown[] }
    expect(items).toEqual([])
    await page.getByRole('link', { name: 'Home' }).first().click()
    const step = page.getByRole('listitem').filter({ hasText: 'Ask the Docent documentation' })
    await step.getByLabel('Done').waitFor()
  })

  it('adds a site from a repository on the server, by the keyboard alone, and leads to its first question', async () => {
    await page.goto(address())
    const { keyboard } = page
    await tabTo(page, 'Add a site')
    await keyboard.press('Enter')
    await expect.poll(() => focusedName(page), patience).toBe('Choose the source')
    await page.keyboard.press('Tab')
    await keyboard.press('ArrowDown')
    await tabTo(page, 'Path on the server')
    await keyboard.type(repository.folder)
    await tabTo(page, 'More')
    await keyboard.press('Enter')
    await tabTo(page, 'Subdirectory')
    await keyboard.type('nowhere')
    await keyboard.press('Enter')
    await page.getByText('The pages cannot be read yet.').waitFor()

    await tabTo(page, 'Subdirectory')
    await keyboard.press('Control+a')
    await keyboard.type('docs')
    await keyboard.press('Enter')
    await page.getByText('The pages can be read.').waitFor()
    await page.getByText('Its current branch is at').waitFor()
    await tabTo(page, 'Continue')
    await keyboard.press('Enter')
    await expect.poll(() => focusedName(page), patience).toBe('Name the site')
    await tabTo(page, 'Name')
    await keyboard.press('Control+a')
    await keyboard.type('Lantern')
    await tabTo(page, 'More')
    await keyboard.press('Enter')
    await tabTo(page, 'Slug')
    await keyboard.press('Control+a')
    await keyboard.type('lantern')
    await keyboard.press('Enter')
    await page.getByText('Lantern is ready: ').waitFor()
    await tabTo(page, 'Ask your first question')
    await keyboard.press('Enter')

    await tabTo(page, 'Question')
    await keyboard.type('How long does the lantern glow?')
    await keyboard.press('Enter')
    await page.getByRole('region', { name: 'Answer', exact: true }).getByText('nine hours').first().waitFor()
    expect(await page.title()).toBe('Playground · Lantern · Docent')
  })

  it('explains why each passage ranks where it does, and is at the same search after going back', async () => {
    await page.goto(address('/docs/search'))
    await page.getByLabel('Query').fill('error E-42 paper')
    await page.keyboard.press('Enter')
    const first = page.getByRole('region', { name: 'Passage 1', exact: true })
    await first.getByRole('list', { name: 'Word score' }).getByText('Text').waitFor()
    expect(await first.textContent()).toContain('Ranked 1 by words alone.')
    await first.getByText('Passage text', { exact: true }).click()
    expect(await first.locator('mark').allTextContents()).toContain('E-42')

    await page.getByLabel('Tag').fill('none-has-this')
    await page.keyboard.press('Enter')
    await page.getByText('No results').waitFor()
    await page.getByText('it does not have the tag').first().waitFor()
    await page.goBack()

    await first.waitFor()
    await expect.poll(() => page.getByLabel('Tag').inputValue()).toBe('')
  })
})
