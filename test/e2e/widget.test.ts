import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keyCreatedSchema } from '../../src/contract/admin.ts'
import { sendAsAdmin } from '../support/ask.ts'
import { buildWeb } from '../support/build-web.ts'
import { findBarriers } from '../support/find-barriers.ts'
import { serveStrictPage, type StrictPage } from '../support/serve-strict-page.ts'
import { closeWindows, shareBrowser } from '../support/share-browser.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: the widget on pages of others. ${missingChromium}\n`)

const writePage = (tag: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Printers</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">${tag}</head>
  <body><main><h1>Printers</h1><p>A page of another origin.</p><input aria-label="Own field"></main></body></html>`

describe.skipIf(!hasChromium)('the widget on a page of another origin with a strict policy', () => {
  let docent: Docent
  let host: StrictPage
  let context: BrowserContext
  let page: Page
  let faults: string[]
  let requests: string[]
  let pageOf: (attributes?: string, tags?: number) => Promise<StrictPage>
  const others: StrictPage[] = []

  beforeAll(async () => {
    await buildWeb()
    docent = await startDocent()
    // Every request needs a session, which the widget gets by itself.
    const key = { kind: 'assistant', name: 'Website', siteId: 'docs', session: 'always', normalPerMinute: 1_000 }
    const created = await sendAsAdmin(docent, 'POST', '/admin/v1/keys', key)
    const { secret } = keyCreatedSchema.parse(created.body)
    pageOf = async (attributes = '', tags = 1) => {
      const tag = `<script src="${docent.url}/widget.js" data-site="docs" data-key="${secret}" ${attributes} async></script>`
      const served = await serveStrictPage(writePage(tag.repeat(tags)), docent.url)
      others.push(served)
      return served
    }
    host = await pageOf()
  })
  afterAll(async () => {
    await closeWindows()
    await Promise.all(others.map((each) => each.close()))
    await docent?.remove()
  })
  beforeEach(async () => {
    context = await (await shareBrowser()).newContext({ reducedMotion: 'reduce' })
    page = await context.newPage()
    page.setDefaultTimeout(50_000)
    faults = []
    requests = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('request', (request) => requests.push(request.url()))
  })
  afterEach(() => context.close())

  const launcher = () => page.getByRole('button', { name: 'Ask', exact: true })
  const answer = () => page.locator('article').last()
  const isDone = () => answer().getByRole('button', { name: 'Copy as Markdown' }).waitFor()

  async function ask(question: string) {
    await page.getByRole('combobox').fill(question)
    await page.keyboard.press('Enter')
    await isDone()
  }

  it('costs one request until it is opened, and asks no other host', async () => {
    await page.goto(host.url)
    await launcher().waitFor()
    expect(requests.filter((url) => !url.startsWith(host.url))).toEqual([`${docent.url}/widget.js`])

    await page.keyboard.press('Control+i')
    await ask('What does the error E-42 mean?')

    const hosts = new Set(requests.map((url) => new URL(url).origin))
    expect(hosts).toEqual(new Set([host.url, docent.url]))
    // Requests that were refused before the session was there.
    expect(faults.filter((fault) => !fault.includes('403'))).toEqual([])
  })

  it('searches while somebody types, and follows a result by keyboard', async () => {
    await page.goto(host.url)
    await launcher().click()
    await page.getByRole('combobox').fill('printer paper')

    await page
      .getByRole('option', { name: /^Printers/ })
      .first()
      .waitFor()
    const opened = context.waitForEvent('page')
    await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('option', { selected: true }).textContent()).not.toContain('Ask')
    await page.keyboard.press('Enter')

    expect((await opened).url()).toContain(`${docent.url}/sites/docs/`)
    await page.locator('[role=status]', { hasText: /result/ }).waitFor({ state: 'attached' })
  })

  it('answers with citations whose passage is shown, feedback, and follow-ups that know the question', async () => {
    const bodies: { currentPath?: string; threadId?: string | null; threadKey?: string | null }[] = []
    page.on('request', (request) => request.url().endsWith('/message') && bodies.push(request.postDataJSON()))
    await page.goto(`${host.url}/guides/printers`)
    await launcher().click()
    await ask('What does the error E-42 mean?')

    expect(await answer().locator('.answer').textContent()).toContain('the paper has run out.\u20601')
    await answer()
      .getByRole('link', { name: /^Source 1: Printers/ })
      .first()
      .focus()
    const card = page.getByRole('group', { name: 'Source 1' })
    expect(await card.locator('mark').textContent()).toContain('paper has run out')
    expect(await card.getByRole('link', { name: 'Open page' }).getAttribute('href')).toContain('#error-e-42:~:text=')

    const rated = page.waitForResponse((response) => response.url().endsWith('/feedback') && response.ok())
    await answer().getByRole('button', { name: 'Helpful', exact: true }).click()
    expect(await (await rated).json()).toMatchObject({ helpful: true })

    await page.getByLabel('Ask a follow-up').fill('How do I fix it?')
    await page.keyboard.press('Enter')
    await page.locator('article').nth(1).waitFor()
    await isDone()
    expect(bodies[0]).toMatchObject({ currentPath: '/guides/printers', threadId: null })
    const asked = bodies.at(-1)
    expect(asked?.threadId).toEqual(expect.any(String))
    expect(asked?.threadKey).toEqual(expect.any(String))
  })

  it('closes by Escape, first the passage, and gives the focus back to where it was', async () => {
    await page.goto(host.url)
    await launcher().waitFor()
    await page.getByLabel('Own field').focus()
    await page.keyboard.press('Control+i')
    await ask('What does the error E-42 mean?')
    await answer().locator('a.cite').first().focus()
    await page.getByRole('group', { name: 'Source 1' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('group', { name: 'Source 1' }).count()).toBe(0)
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.keyboard.press('Escape')

    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByLabel('Own field').evaluate((field) => field === document.activeElement)).toBe(true)
  })

  it('keeps the conversation over navigation, a replaced body and a page load, and runs once', async () => {
    const { url } = await pageOf('', 2)
    await page.goto(url)
    await launcher().click()
    await ask('What does the error E-42 mean?')

    await page.evaluate(() => {
      history.pushState(null, '', '/elsewhere')
      document.body.replaceWith(document.createElement('body'))
    })
    await page.getByRole('dialog').waitFor()
    expect(await page.locator('docent-widget').count()).toBe(1)
    await page.reload()

    await page.getByRole('dialog').waitFor()
    expect(await answer().locator('.answer').textContent()).toContain('the paper has run out.')
    expect(await answer().getByRole('heading', { level: 3 }).textContent()).toBe('What does the error E-42 mean?')
  })

  it('tells screen readers whole blocks, once', async () => {
    await page.goto(host.url)
    await launcher().click()
    await page.getByRole('dialog').waitFor()
    await page.evaluate(() => {
      const said: string[] = []
      Object.assign(globalThis, { said })
      const region = document.querySelector('docent-widget')?.shadowRoot?.querySelector('[role=status]')
      if (!region) throw new Error('There is no status region.')
      new MutationObserver(() => region.textContent !== '' && said.push(region.textContent)).observe(region, {
        childList: true,
      })
    })
    await ask('What does the error E-42 mean?')

    const readSaid = () => page.evaluate(() => Reflect.get(globalThis, 'said') as string[])
    await expect.poll(async () => (await readSaid()).at(-1), { timeout: 50_000 }).toContain('Answer complete')
    const said = await readSaid()
    expect(said.join(' ')).toContain('The code E-42 means that the paper has run out. Insert a new roll')
    expect(said.length).toBeLessThanOrEqual(4)
    expect(await page.locator('[role=log]').getAttribute('aria-live')).toBe('off')
  })

  it.each(['panel', 'modal'])('has no barriers in either theme, wide or narrow, as a %s', async (mode) => {
    const served = await pageOf(`data-mode="${mode}"`)
    // Injecting axe is what the policy is there to prevent.
    const open = await context.browser()?.newContext({ bypassCSP: true })
    if (!open) throw new Error('There is no browser.')
    page = await open.newPage()
    await page.goto(served.url)
    await launcher().click()
    await page.getByRole('combobox').fill('printer')
    await page.getByRole('option').nth(1).waitFor()
    const found = await findBarriers(page, 'light', 'dark')
    await ask('What does the error E-42 mean?')
    await answer().locator('a.cite').first().focus()
    found.push(...(await findBarriers(page, 'light', 'dark')))
    await page.setViewportSize({ width: 320, height: 640 })
    found.push(...(await findBarriers(page, 'light')))

    expect(found).toEqual([])
    expect(await page.getByRole('dialog').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await open.close()
  })

  it('says in a sentence why it cannot ask', async () => {
    const tag = `<script src="${docent.url}/widget.js" data-site="docs" data-key="svc_dsc_wrong" async></script>`
    const served = await serveStrictPage(writePage(tag), docent.url)
    others.push(served)
    await page.goto(served.url)
    await launcher().click()
    await page.getByRole('combobox').fill('What is a kiosk?')
    await page.keyboard.press('Enter')

    await answer().getByRole('button', { name: 'Ask again' }).waitFor()
    expect(await answer().locator('.note').textContent()).toMatch(/key/i)
  })

  it('calls what the page queued before the script ran, and tells the page what happens', async () => {
    await page.addInitScript(() => {
      const heard: string[] = []
      Object.assign(globalThis, {
        heard,
        docent: [
          ['on', 'answer', () => heard.push('answer')],
          ['ask', 'What does the error E-42 mean?'],
        ],
      })
      addEventListener('docent:open', () => heard.push('open'))
    })
    await page.goto(host.url)
    await isDone()

    await expect.poll(() => page.evaluate(() => Reflect.get(globalThis, 'heard'))).toEqual(['open', 'answer'])
    await page.evaluate(() => (Reflect.get(globalThis, 'docent') as { destroy(): void }).destroy())
    expect(await page.locator('docent-widget').count()).toBe(0)
  })
})
