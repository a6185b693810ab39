import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keyCreatedSchema } from '../../src/contract/admin.ts'
import { sendAsAdmin } from '../support/ask.ts'
import { buildWeb } from '../support/build-web.ts'
import { findBarriers } from '../support/find-barriers.ts'
import { noncePolicy, serveStrictPage, type StrictPage } from '../support/serve-strict-page.ts'
import { closeWindows, shareBrowser } from '../support/share-browser.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: the widget on pages of others. ${missingChromium}\n`)

const writePage = (tag: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Printers</title>
  <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">${tag}</head>
  <body><main><h1>Printers</h1><p>A page of another origin.</p><input aria-label="Own field"></main></body></html>`

interface PageOptions {
  tags?: number
  /** Further elements. */
  body?: string
  policy?: typeof noncePolicy
}

/** Runs in the page: the least contrast of each pair of colors, over accents of all hues. */
function findWorstContrast(): Record<string, number> {
  const host = document.querySelector<HTMLElement>('docent-widget')
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const probe = document.createElement('i')
  host?.shadowRoot?.querySelector('dialog')?.append(probe)
  const readLuminance = (color: string) => {
    probe.style.color = `var(--${color})`
    if (!context) return 0
    context.fillStyle = getComputedStyle(probe).color
    context.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = Array.from(context.getImageData(0, 0, 1, 1).data, (value) =>
      value <= 10 ? value / 3_295 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const worst: Record<string, number> = {}
  const pairs = [['on-accent', 'accent'], ...['surface', 'soft', 'fill', 'raised'].map((ground) => ['ink', ground])]
  for (let index = 0; index < 144; index++) {
    host?.style.setProperty('color-scheme', index % 2 === 0 ? 'light' : 'dark')
    host?.style.setProperty('--docent-accent', `hsl(${index * 25} ${(index % 3) * 50}% ${5 + (index % 7) * 15}%)`)
    for (const [text = '', ground = ''] of pairs) {
      const [dark = 0, light = 0] = [readLuminance(text), readLuminance(ground)].sort((one, other) => one - other)
      const name = `${text} on ${ground}`
      worst[name] = Math.min(worst[name] ?? Infinity, (light + 0.05) / (dark + 0.05))
    }
  }
  return worst
}

describe.skipIf(!hasChromium)('the widget on a page of another origin with a strict policy', () => {
  let docent: Docent
  let host: StrictPage
  let context: BrowserContext
  let page: Page
  let faults: string[]
  let requests: string[]
  let pageOf: (attributes?: string, page?: PageOptions) => Promise<StrictPage>
  const others: StrictPage[] = []

  beforeAll(async () => {
    await buildWeb()
    docent = await startDocent()
    // Every request needs a session, which the widget gets by itself.
    const key = { kind: 'assistant', name: 'Website', siteId: 'docs', session: 'always', normalPerMinute: 1_000 }
    const created = await sendAsAdmin(docent, 'POST', '/admin/v1/keys', key)
    const { secret } = keyCreatedSchema.parse(created.body)
    pageOf = async (attributes = '', { tags = 1, body = '', policy } = {}) => {
      const tag = `<script src="${docent.url}/widget.js" data-site="docs" data-key="${secret}" ${attributes} async></script>`
      const served = await serveStrictPage(writePage(tag.repeat(tags)) + body, docent.url, policy)
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

  it('asks again in place of an answer, takes reasons and messages, and finds conversations again', async () => {
    const fields = [{ name: 'message', label: 'Message', kind: 'paragraphs', required: true }]
    const settings = { handOver: { fields, emails: [], issues: false } }
    await sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs', { settings })
    // Injecting axe is what the policy is there to prevent.
    const open = await context.browser()?.newContext({ bypassCSP: true, reducedMotion: 'reduce' })
    if (!open) throw new Error('There is no browser.')
    page = await open.newPage()
    await page.goto(host.url)
    await launcher().click()
    await ask('What does the error E-42 mean?')

    await answer().getByRole('button', { name: 'Ask again' }).click()
    await isDone()
    expect(await page.getByRole('article').count()).toBe(1)

    await page.setViewportSize({ width: 1_280, height: 480 })
    await answer().getByRole('button', { name: 'Not helpful' }).click()
    const form = await page.locator('form.form').boundingBox()
    const composer = await page.getByPlaceholder('Ask a follow-up').boundingBox()
    expect((form?.y ?? Infinity) + (form?.height ?? 0)).toBeLessThanOrEqual(composer?.y ?? 0)
    await page.getByRole('radio', { name: 'It is outdated' }).check({ force: true })
    await page.getByLabel('Comment (optional)').fill('It is E-43 now.')
    const found = await findBarriers(page, 'light', 'dark')
    const rated = page.waitForResponse((response) => response.url().endsWith('/feedback') && response.ok())
    await page.locator('form.form').getByRole('button', { name: 'Send' }).click()
    expect(await (await rated).json()).toMatchObject({ helpful: false, reason: 'outdated', note: 'It is E-43 now.' })

    await page.getByRole('button', { name: 'Ask the team' }).click()
    await page.getByLabel('Message').fill('Please help.')
    found.push(...(await findBarriers(page, 'light')))
    await page.locator('form.form').getByRole('button', { name: 'Send' }).click()
    await page.getByText('Sent. Thank you.').first().waitFor()
    const stored = await sendAsAdmin(docent, 'GET', '/admin/v1/sites/docs/hand-overs')
    expect(stored.body).toMatchObject({ items: [{ fields: [{ value: 'Please help.' }], transcript: [{}, {}] }] })

    await page.getByRole('button', { name: 'New question' }).click()
    await page.getByRole('button', { name: 'Earlier conversations' }).click()
    await page.getByRole('group', { name: 'Earlier conversations' }).waitFor()
    found.push(...(await findBarriers(page, 'light')))
    await page.getByRole('button', { name: /^What does the error E-42 mean/ }).click()
    expect(await answer().locator('.answer').textContent()).toContain('the paper has run out')
    expect(found).toEqual([])
    await open.close()
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
    const { url } = await pageOf('', { tags: 2 })
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
    await page.getByRole('status').waitFor({ state: 'attached' })
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

    await page.emulateMedia({ forcedColors: 'active' })
    found.push(...(await findBarriers(page, 'light')))

    expect(found).toEqual([])
    expect(await page.getByRole('dialog').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await open.close()
  })

  it('is a field of a page that trusts only nonces, in another language and its own theme, and asks about its code', async () => {
    const bodies: { context?: unknown }[] = []
    page.on('request', (request) => request.url().endsWith('/message') && bodies.push(request.postDataJSON()))
    const { url } = await pageOf(
      'data-mode="inline" data-language="de" data-code-ask nonce="n1" data-starters=\'["Was ist E-42?"]\'',
      {
        body: '<body bgcolor="white"><div data-docent-inline></div><pre tabindex="0">lpr --kiosk</pre><button data-docent-ask="What is E-42?">E-42</button>',
        policy: noncePolicy,
      },
    )
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(url)
    const field = page.getByRole('button', { name: 'Fragen', exact: true })
    await field.click()
    await page.getByRole('combobox', { name: 'Suchen oder fragen' }).waitFor()
    await page.getByRole('button', { name: 'Was ist E-42?' }).waitFor()
    const readScheme = () => page.locator('docent-widget').evaluate((host) => getComputedStyle(host).colorScheme)
    // The page is white, whatever the system is.
    expect(await readScheme()).toBe('light')
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
    await expect.poll(readScheme).toBe('dark')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await field.evaluate((button) => button.matches(':focus'))).toBe(true)

    await page.hover('pre')
    await page.getByRole('button', { name: 'Dazu fragen' }).click()
    await page.getByText('Zu diesem Code:').waitFor()
    await page.getByRole('combobox').fill('What is E-42?')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Als Markdown kopieren' }).waitFor()
    expect(bodies[0]?.context).toEqual([{ type: 'code', value: 'lpr --kiosk' }])
    await page.mouse.click(5, 700)
    await page.getByRole('button', { name: 'E-42', exact: true }).click()
    await page.locator('article').nth(1).waitFor()
    expect(faults.filter((fault) => !fault.includes('403'))).toEqual([])
  })

  it('keeps the contrast of text, whatever the accent', async () => {
    await page.goto(host.url)
    await launcher().click()
    await page.getByRole('combobox').waitFor()

    const worst = await page.evaluate(findWorstContrast)

    expect(Object.entries(worst).filter(([, ratio]) => ratio < 4.5)).toEqual([])
  })

  it('reads code from left to right on a page that is read from right to left, and fits a window of 320 pixels', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto(`${host.url}/guides/install`)
    await page.evaluate(() => (document.documentElement.dir = 'rtl'))
    await launcher().click()
    await ask('How do I set the update channel?')

    const code = await answer().locator('.answer code').first().evaluate(readDirection)
    const cut = await page.getByRole('dialog').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)

    expect(code).toEqual({ direction: 'ltr', unicodeBidi: 'isolate' })
    expect(cut).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })

  it('has an outline where colors are forced, and is not printed', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    await page.goto(host.url)
    await launcher().click()

    const border = await page.getByRole('dialog').evaluate((dialog) => getComputedStyle(dialog).borderTopStyle)
    await page.emulateMedia({ media: 'print' })

    expect(border).toBe('solid')
    expect(await page.getByRole('dialog').isVisible()).toBe(false)
  })

  it('shows its frame before its content is loaded, and closes it where that fails', async () => {
    const failed = Promise.withResolvers<void>()
    await page.route('**/panel-content.js', async (route) => {
      await page.getByRole('dialog').waitFor()
      await route.abort()
      failed.resolve()
    })
    await page.goto(host.url)

    await launcher().press('Enter')
    await failed.promise
    await page.getByRole('dialog').waitFor({ state: 'hidden' })

    expect(await launcher().isVisible()).toBe(true)
  })

  it('tells readers that it cannot ask, and the owner why', async () => {
    const warnings: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    const tag = `<script src="${docent.url}/widget.js" data-site="docs" data-key="svc_dsc_wrong" async></script>`
    const served = await serveStrictPage(writePage(tag), docent.url)
    others.push(served)
    await page.goto(served.url)
    await launcher().click()
    await page.getByRole('combobox').fill('What is a kiosk?')
    await page.keyboard.press('Enter')

    await answer().getByRole('button', { name: 'Ask again' }).waitFor()
    expect(await answer().locator('.note').textContent()).toBe('The assistant is not available on this page.')
    expect(warnings.join()).toMatch(/DocentError: This key is not known/)
  })

  it('starts on a page with an element of its name, among libraries that replace what browsers have', async () => {
    const { url } = await pageOf('', { body: '<h2 id="docent">Docent</h2><form name="docent"></form>' })
    await page.addInitScript(() => {
      Element.prototype.remove = function () {
        if (this.parentNode === null) throw new TypeError('There is no parent.')
        this.parentNode.removeChild(this)
      }
      Object.assign(Array.prototype, { contains: () => false, flatten: () => [] })
      Object.assign(Object.prototype, { extend: () => {} })
    })
    await page.goto(url)
    await launcher().click()

    await ask('What does the error E-42 mean?')

    expect(await answer().textContent()).toContain('the paper has run out')
    expect(faults.filter((fault) => !fault.includes('403'))).toEqual([])
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

/** Runs in the page. */
function readDirection(element: Element) {
  const { direction, unicodeBidi } = getComputedStyle(element)
  return { direction, unicodeBidi }
}
