import { generateKeyPairSync } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { acceptInvitation } from '../support/accept-invitation.ts'
import { findBarriers } from '../support/find-barriers.ts'
import { type GithubServer, removeGithubTemplate, startGithubServer } from '../support/github-server.ts'
import { cheapPasswords } from '../support/member-browser.ts'
import { type DashboardPage, narrow, openWindow, setUpOwner, throwFaults, wide } from '../support/open-dashboard.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { closeWindows } from '../support/share-browser.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

// Each test walks through pages of a real browser, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: settings in the dashboard. ${missingChromium}\n`)

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const madeApp = {
  id: 4711,
  name: 'Docent',
  slug: 'docent-acme',
  pem: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  webhook_secret: 'made-by-github',
}

describe.skipIf(!hasChromium)('settings, operations, members and the account in the dashboard', () => {
  let docent: Docent
  let github: GithubServer
  let receiver: WebhookReceiver
  let window: DashboardPage
  let page: Page
  beforeAll(async () => {
    docent = await startDocent({ passwordCost: cheapPasswords, env: { DOCENT_ALLOW_PRIVATE_ADDRESSES: 'true' } })
    github = await startGithubServer({
      intercept: ({ route }) =>
        route === 'POST /app-manifests/{code}/conversions'
          ? { status: 201, body: { ...madeApp, html_url: `${github.origin}/github-apps/docent-acme` } }
          : null,
    })
    receiver = await startWebhookReceiver()
    window = await openWindow({ storageState: await setUpOwner(docent) })
    page = window.page
  })
  afterAll(async () => {
    await closeWindows()
    await docent?.remove()
    await github?.stop()
    await removeGithubTemplate()
    await receiver?.[Symbol.asyncDispose]()
  })
  afterEach(() => throwFaults(window))

  const address = (path: string) => `${docent.url}/dashboard/default${path}`

  it('adds an endpoint, shows its secret once, sends a test, lists what failed and sends it again', async () => {
    receiver.answer = (response) => void response.writeHead(500).end('out of order')
    await page.goto(address('/settings?view=webhooks'))
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    await page.getByLabel('Name').fill('Chat room')
    await page.getByLabel('URL').fill(receiver.url)
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click()
    const secret = (await page.getByText(/^whsec_/).textContent()) ?? ''
    await page.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: 'Actions for Chat room' }).click()
    await page.getByRole('menuitem', { name: 'Send test event' }).click()
    const sends = page.getByRole('table', { name: 'Deliveries to Chat room' })
    await sends.getByText('Status 500').waitFor()
    await sends.getByText('out of order').waitFor()
    receiver.answer = (response) => void response.writeHead(204).end()
    await sends.getByRole('button', { name: 'Send again' }).click()

    await sends.getByText('Delivered').waitFor()
    expect(await findBarriers(page, 'light', 'dark')).toEqual([])
    expect(secret.length).toBeGreaterThan(20)
    expect(await page.content()).not.toContain(secret)
    const { body } = await receiver.waitFor(({ body }) => body.includes('"type":"test"'))
    expect(JSON.parse(body)).toMatchObject({ type: 'test' })

    await page.getByRole('button', { name: 'Actions for Chat room' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('No endpoints yet').waitFor()
  })

  it('stores a key that is never shown again, says what cannot be used, and tries the model', async () => {
    await page.goto(address('/settings'))
    await page.getByLabel('API key').fill('sk-stored-by-hand')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('A key is set. Enter another one to replace it.').waitFor()
    await page.getByLabel('Provider and model').fill('nobody/nothing')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Provider and model').inputValue()).toBe('nobody/nothing')
    await page.getByRole('button', { name: 'Test model' }).click()

    await page.getByText(/^docent\/offline answered in \d+ ms\.$/).waitFor()
    expect(await page.content()).not.toContain('sk-stored-by-hand')
    await page.getByRole('button', { name: 'Remove stored key' }).click()
    await page.getByText('Stored encrypted, and never shown again.').waitFor()
  })

  it('has GitHub make an App in the browser, stores it, and takes no code that nobody asked for', async () => {
    const manifests: Record<string, unknown>[] = []
    await window.context.route(`${github.origin}/settings/apps/new**`, async (route) => {
      const form = new URLSearchParams(route.request().postData() ?? '')
      const manifest = JSON.parse(form.get('manifest') ?? '{}') as { redirect_url: string }
      manifests.push({ ...manifest })
      const back = new URL(manifest.redirect_url)
      back.searchParams.set('code', 'made-by-github')
      back.searchParams.set('state', new URL(route.request().url()).searchParams.get('state') ?? '')
      await route.fulfill({
        contentType: 'text/html',
        body: `<a href="${back.href.replaceAll('&', '&amp;')}">Create</a>`,
      })
    })
    await page.goto(address('/settings?view=code-hosts'))
    const forged = await page.request.get(`${docent.url}/code-host-apps/github/made?code=theirs&state=e30.AAAA`)
    expect(forged.status()).toBe(403)

    await page.getByRole('button', { name: 'Create GitHub App' }).click()
    await page.getByRole('dialog').getByText('More', { exact: true }).click()
    await page.getByLabel('GitHub URL').fill(github.origin)
    await page.getByLabel('Have GitHub create and sign').check()
    await page.getByRole('button', { name: 'Continue to GitHub' }).click()
    await page.getByRole('button', { name: /^Go to 127\.0\.0\.1/ }).click()
    await page.getByRole('link', { name: 'Create' }).click()

    await page.getByText('The App docent-acme has been added.').waitFor()
    const row = page.getByRole('row', { name: /docent-acme/ })
    await expect.poll(() => row.textContent()).toMatch(/Signed.*Signed by GitHub/)
    expect(manifests[0]).toMatchObject({ name: 'Docent', public: false })
    const stored = await (await docent.get('/admin/v1/code-host-apps', asAdmin)).text()
    expect(stored).toContain('"appId":"4711"')
    expect(stored).not.toContain('PRIVATE KEY')
    const again = await page.request.get(`${docent.url}/code-host-apps/github/new?origin=${github.origin}`)
    expect(again.status()).toBe(409)
  })

  it('refuses editors what owners set', async () => {
    const { cookies } = await acceptInvitation(docent, { role: 'editor', name: 'Eddie Editor' })
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const paths = [
      '/admin/v1/webhook-endpoints',
      '/admin/v1/code-host-apps',
      '/admin/v1/audit-log',
      '/code-host-apps/github/new?origin=https://github.com',
      '/code-host-apps/github/made?code=theirs&state=e30.AAAA',
    ]

    const replies = await Promise.all(paths.map((path) => fetch(docent.url + path, { headers: { cookie } })))

    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
  })

  it('has nothing that keeps people out, light and dark, wide and narrow', async () => {
    const barriers: string[] = []
    for (const path of ['/operations', '/settings?view=code-hosts', '/account']) {
      await page.setViewportSize(wide)
      await page.goto(address(path))
      await page.getByRole('main').locator('table, form, dl').first().waitFor()
      barriers.push(...(await findBarriers(page, 'light', 'dark')))
      await page.setViewportSize(narrow)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    }

    expect(barriers).toEqual([])
  })
})
