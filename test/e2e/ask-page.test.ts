import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keyCreatedSchema } from '../../src/contract/admin.ts'
import { assistantKey, type Docent, startDocent } from '../support/start-docent.ts'
import { sendAsAdmin } from '../support/ask.ts'
import { createInstantModel } from '../support/instant-model.ts'
import { closeWindows, shareBrowser } from '../support/share-browser.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: asking on a page of a site. ${missingChromium}\n`)

const answer = `The **paper** is \`80 mm\` wide: see [Printers](/guides/printers).

<img src=x onerror="window.ran = true"> [a](javascript:window.ran=true)

- one
- two

\`\`\`html
<script>window.ran = true</script>
\`\`\`
`

describe.skipIf(!hasChromium)('asking on a page of a site', () => {
  let docent: Docent
  let page: Page
  let faults: string[]

  beforeAll(async () => {
    docent = await startDocent({ model: createInstantModel(answer, 20) })
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
    await page.goto(`${docent.url}/sites/docs/guides/install`)
    await page.getByRole('button', { name: 'Ask' }).click()
  })
  afterEach(() => page.close())

  async function useKey(key: string) {
    await page.getByLabel('Assistant key').fill(key)
    await page.getByRole('button', { name: 'Use key' }).click()
  }

  async function ask(question: string) {
    await page.getByLabel('Question').fill(question)
    await page.keyboard.press('Enter')
  }

  it('asks for the key once, and shows answer, links and sources', async () => {
    await useKey(assistantKey)
    await ask('How wide is the paper of the printers?')

    const log = page.getByRole('log')
    await log.getByRole('heading', { name: 'Sources' }).waitFor()
    expect(await log.locator('strong').first().textContent()).toBe('paper')
    expect(await log.getByRole('link', { name: 'Printers' }).first().getAttribute('href')).toBe(
      '/sites/docs/guides/printers',
    )
    expect(await log.locator('li').allTextContents()).toEqual(expect.arrayContaining(['one', 'two', 'Printers']))
    await page.reload()
    await page.getByRole('button', { name: 'Ask' }).click()
    expect(await page.getByLabel('Assistant key').isVisible()).toBe(false)
    expect(await page.getByLabel('Question').isVisible()).toBe(true)
    expect(faults).toEqual([])
  })

  it('leads to the pages of the host that it was reached by', async () => {
    await page.goto(`${docent.url.replace('127.0.0.1', 'localhost')}/sites/docs`)
    await page.getByRole('button', { name: 'Ask' }).click()
    await useKey(assistantKey)
    await ask('How wide is the paper of the printers?')

    const link = page.getByRole('log').getByRole('link', { name: 'Printers' }).first()
    expect(await link.getAttribute('href')).toBe('/sites/docs/guides/printers')
    expect(faults).toEqual([])
  })

  it('gets a session by itself where the key asks for one, and works for it under pressure', async () => {
    const options = { kind: 'assistant', name: 'Guarded', siteId: 'docs', session: 'always', normalPerMinute: 1 }
    const { secret } = keyCreatedSchema.parse((await sendAsAdmin(docent, 'POST', '/admin/v1/keys', options)).body)
    const question = { fp: 'anonymous', messages: [{ role: 'user', parts: [{ type: 'text', text: 'Paper?' }] }] }
    const authorization = `Bearer ${secret}`
    const refused = await docent.post('/discovery/v2/assistant/docs/message', question, { authorization })
    const sent: unknown[] = []
    page.on('request', (request) => request.url().includes('/session/') && sent.push(request.postDataJSON()))

    await useKey(secret)
    await ask('How wide is the paper of the printers?')

    await page.getByRole('log').getByRole('heading', { name: 'Sources' }).waitFor()
    expect(await refused.json()).toMatchObject({ code: 'session_required' })
    expect(sent[0]).toEqual({})
    expect(faults).toEqual([])
  })

  it('shows suggested pages as links', async () => {
    await sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs', { settings: { suggestions: true } })
    await useKey(assistantKey)
    await ask('How do I install Kiosk and connect a printer?')

    const log = page.getByRole('log')
    await log.getByRole('heading', { name: 'Sources' }).waitFor()
    await sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs', { settings: { suggestions: false } })
    expect(await log.getByRole('link', { name: 'What Kiosk is' }).getAttribute('href')).toBe(
      `${docent.url}/sites/docs/`,
    )
    expect(await log.textContent()).not.toContain('suggestions')
    expect(faults).toEqual([])
  })

  it('runs nothing of an answer', async () => {
    await useKey(assistantKey)
    await ask('How wide is the paper of the printers?')

    const log = page.getByRole('log')
    await log.getByRole('heading', { name: 'Sources' }).waitFor()
    expect(await log.textContent()).toContain('<img src=x onerror')
    expect(await log.locator('pre').textContent()).toBe('<script>window.ran = true</script>')
    expect(await log.locator('img, script, a[href^="javascript"]').count()).toBe(0)
    expect(await page.evaluate('window.ran')).toBeUndefined()
  })

  it('tells why a key is refused, asks for another, and keeps the question', async () => {
    await useKey(`svc_dsc_${'x'.repeat(43)}`)
    await ask('How wide is the paper?')

    await page.getByText('This key is not known.').waitFor()
    await useKey(assistantKey)
    expect(await page.getByLabel('Question').inputValue()).toBe('How wide is the paper?')
  })

  it('closes by Escape and gives the keyboard back to where it was', async () => {
    await page.keyboard.press('Escape')

    expect(await page.getByRole('dialog').isVisible()).toBe(false)
    expect(await page.getByRole('button', { name: 'Ask' }).getAttribute('aria-expanded')).toBe('false')
    expect(await page.evaluate('document.activeElement.id')).toBe('ask')
  })
})
