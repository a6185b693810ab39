import type { Page } from 'playwright-core'
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

  // The first of the tests, because the link works once. The others go on in the same session.
  it('takes the owner from the first link to the first answer, with its sources, verdict, steps and numbers', async () => {
    await page.goto(`${docent.url}/dashboard/accept?token=${ownerToken(docent)}`)
    await page.getByLabel('Your name').fill(owner.name)
    await page.getByLabel('E-mail').fill(owner.email)
    await page.getByLabel('Password').fill(owner.password)
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('link', { name: 'Ask it in the playground' }).click()
    await ask(question)

    const answer = page.getByRole('region', { name: 'Answer', exact: true })
    await answer.getByText('Supported').waitFor()
    expect(await answer.getByText(/paper/).first().textContent()).toBeTruthy()
    expect(await answer.getByRole('link', { name: 'Printers' }).first().getAttribute('href')).toMatch(
      /^http.*\/guides\/printers/,
    )
    await answer.getByText(/^Steps \(\d+\)/).click()
    await answer.getByText('docent/offline').waitFor()
    expect(await answer.textContent()).toMatch(/search.*In all.*ms.*Tokens.*in, .*out.*Cost/s)
    expect(await findBarriers(page, 'light', 'dark')).toEqual([])

    await page.getByRole('button', { name: 'Answer again' }).click()
    await page.getByText('The answer is there.').waitFor()
    expect(await answer.count()).toBe(1)
    const { items } = (await (await docent.get('/admin/v1/sites/docs/threads', asAdmin)).json()) as { items: unknown[] }
    expect(items).toEqual([])
    await page.getByRole('link', { name: 'Overview' }).first().click()
    const step = page.getByRole('listitem').filter({ hasText: 'Ask the documentation of Docent itself' })
    await step.getByLabel('Done').waitFor()
  })

  it('adds a site from a repository on the server, by the keyboard alone, and leads to its first question', async () => {
    await page.goto(address())
    const { keyboard } = page
    await tabTo(page, 'Add a site')
    await keyboard.press('Enter')
    await expect.poll(() => focusedName(page), patience).toBe('Where the pages are')
    await page.keyboard.press('Tab')
    await keyboard.press('ArrowDown')
    await tabTo(page, 'Path on the server')
    await keyboard.type(repository.folder)
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
    await tabTo(page, 'Go on')
    await keyboard.press('Enter')
    await expect.poll(() => focusedName(page), patience).toBe('What it is called')
    await tabTo(page, 'Name')
    await keyboard.press('Control+a')
    await keyboard.type('Lantern')
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

  it('goes back a step with what was typed, and says what is wrong with a slug that is taken', async () => {
    await page.goto(address('/new'))
    await page.getByLabel('A folder or repository on the server').check()
    await page.getByLabel('Path on the server').fill(`${repository.folder}/docs`)
    await page.getByLabel('Follow it').check()
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('The folder can be read, with 2 files.').waitFor()
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByLabel('Slug').fill('docs')
    await page.getByRole('button', { name: 'Add the site' }).click()
    await page.getByRole('alert').waitFor()
    await page.goBack()

    await page.getByText('The folder can be read, with 2 files.').waitFor()
    expect(await page.getByLabel('Path on the server').inputValue()).toBe(`${repository.folder}/docs`)
    await page.getByLabel('Path on the server').fill('relative/path')
    expect(await page.getByText('The folder can be read, with 2 files.').count()).toBe(0)
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('Name the folder or repository from the root on.').waitFor()
  })

  it('shows the findings of a site with file and line, narrowed by words, and the addresses of the site', async () => {
    await page.goto(address('/lantern'))
    const finding = page.getByRole('row', { name: /^broken\.mdx:\d/ })
    await finding.waitFor()
    await page.getByLabel('Text').fill('no finding says this')
    await page.getByText('No finding is left').waitFor()
    await page.getByLabel('Text').fill('BROKEN.mdx')
    await finding.waitFor()

    expect(await page.getByText(`${docent.url}/sites/lantern/mcp`).count()).toBe(1)
    await page.getByText(`${docent.url}/git/default/lantern.git`).waitFor()
    await page.getByText('No key asks this site').waitFor()
  })

  it('explains why each passage ranks where it does, and is at the same search after going back', async () => {
    await page.goto(address('/docs/search'))
    await page.getByLabel('Query').fill('error E-42 paper')
    await page.keyboard.press('Enter')
    const first = page.getByRole('region', { name: 'Passage 1', exact: true })
    await first.getByRole('list', { name: 'What the words give' }).getByText('Text').waitFor()
    expect(await first.textContent()).toContain('By words alone it is number 1.')
    await first.getByText('The passage', { exact: true }).click()
    expect(await first.locator('mark').allTextContents()).toContain('E-42')

    await page.getByLabel('Tag').fill('none-has-this')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing was found').waitFor()
    expect(await page.getByText('it does not have the tag').count()).toBeGreaterThan(0)
    await page.goBack()

    await first.waitFor()
    expect(await page.getByLabel('Tag').inputValue()).toBe('')
  })

  it('lists conversations, narrows them, shows one whole and goes on with it in the playground', async () => {
    const reader = { fp: 'reader-7', messages: [{ role: 'user', parts: [{ type: 'text', text: question }] }] }
    await (await docent.post('/discovery/v2/assistant/docs/message', reader)).text()
    await page.goto(address('/docs/conversations'))
    await page.getByRole('link', { name: question }).waitFor()
    await page.getByLabel('Verdict').selectOption({ label: 'Failed' })
    await page.getByText('No conversation is left').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: question }).click()
    await page.getByText('reader-7').waitFor()
    await page.getByRole('region', { name: 'Answer', exact: true }).getByText('Supported').waitFor()
    expect(await findBarriers(page, 'light', 'dark')).toEqual([])

    await page.getByRole('link', { name: 'Open in the playground' }).click()
    await page.getByText('A copy of a stored conversation.').waitFor()
    await ask('And what does E-17 mean?')

    await expect.poll(() => page.getByRole('region', { name: 'Answer', exact: true }).count(), patience).toBe(2)
    await page.getByText('The answer is there.').waitFor()
    const { items } = (await (await docent.get('/admin/v1/sites/docs/threads', asAdmin)).json()) as { items: unknown[] }
    expect(items).toMatchObject([{ question, questions: 1, verdict: 'supported' }])
  })

  it('saves what was changed of a site, asks before it is left unsaved, and deletes it once its slug is typed', async () => {
    await page.goto(address('/lantern'))
    await page.getByRole('link', { name: 'Settings' }).first().click()
    await page.getByLabel('Support contact').fill('not a contact')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The support contact is neither').waitFor()
    await page.getByLabel('Support contact').fill('help@example.com')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The settings are saved.').first().waitFor()
    await page.getByLabel('Instructions').fill('Be brief.')
    await page.goBack()
    await page.getByRole('alertdialog').getByText('Leave without saving?').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()

    expect(await page.getByLabel('Instructions').inputValue()).toBe('Be brief.')
    const stored = (await (await docent.get('/admin/v1/sites/lantern', asAdmin)).json()) as { settings: object }
    expect(stored.settings).toMatchObject({ supportContact: 'help@example.com', instructions: null })

    await page.getByRole('button', { name: 'Add a repository' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('handbook')
    await page.getByLabel('Kind').selectOption({ label: 'Built-in repository' })
    await page.getByRole('dialog').getByLabel('Location').fill('default/nowhere')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('dialog').getByLabel('Location').fill('default/docs')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('row', { name: /^@handbook/ }).waitFor()
    await page.getByRole('button', { name: 'Remove handbook' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No context repository').waitFor()

    await page.getByRole('button', { name: 'Delete the site' }).click()
    const dialog = page.getByRole('alertdialog')
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Type lantern to go on').fill('lantern')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(address())

    await expect.poll(() => page.getByRole('link', { name: 'Lantern' }).count(), patience).toBe(0)
    expect((await docent.get('/admin/v1/sites/lantern', asAdmin)).status).toBe(404)
  })
})
