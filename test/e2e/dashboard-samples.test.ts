import { spawn } from 'node:child_process'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cheapPasswords } from '../support/member-browser.ts'
import { type DashboardPage, openWindow, setUpOwner } from '../support/open-dashboard.ts'
import { serveSample } from '../support/serve-sample.ts'
import { closeWindows } from '../support/share-browser.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

// Each test walks through pages of a real browser, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: the samples of the dashboard. ${missingChromium}\n`)

describe.skipIf(!hasChromium)('the code that the dashboard gives with a new key', () => {
  let docent: Docent
  let window: DashboardPage
  let page: Page
  beforeAll(async () => {
    docent = await startDocent({ passwordCost: cheapPasswords })
    window = await openWindow({ storageState: await setUpOwner(docent) })
    page = window.page
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: docent.url })
    await page.goto(`${docent.url}/dashboard/default/keys`)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('Samples')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  })
  afterAll(async () => {
    await closeWindows()
    await docent?.remove()
  })

  const copy = async (what: string) => {
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Copy ${what}`, exact: true })
      .click()
    await page.getByText(`Copied the ${what}.`).first().waitFor()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const choose = (name: RegExp) => page.getByRole('dialog').getByRole('tab', { name }).click()

  it('is copied as it stands, with the address, the site and the key filled in', async () => {
    const key = await copy('key')

    const sample = await copy('curl sample')

    expect(key).toMatch(/^svc_dsc_[\w-]{43}$/)
    expect(sample).toContain(`${docent.url}/discovery/v2/assistant/docs/message`)
    expect(sample).toContain(`Bearer ${key}`)
  })

  it('asks with curl', async () => {
    const { status, output } = await runInShell(await copy('curl sample'))

    expect(status).toBe(0)
    expect(output).toMatch(/"type":"text-delta"/)
    expect(output).toMatch(/data: \[DONE\]\n\n$/)
  })

  it('asks with useChat of AI SDK 5 and later', async () => {
    await choose(/AI SDK 5/)

    const answer = await askInSample(await copy('useChat sample'), 'v5')

    expect(answer).toContain('E-42')
  })

  it('asks with useChat of AI SDK 4', async () => {
    await choose(/AI SDK 4/)

    const answer = await askInSample(await copy('useChat 4 sample'), 'v4')

    expect(answer).toContain('E-42')
  })

  /** Builds the sample into a page of another origin, asks there, and waits for the fact of the answer. */
  async function askInSample(code: string, version: 'v4' | 'v5'): Promise<string> {
    const sample = await serveSample(code, version)
    const reader = await openWindow()
    await reader.page.goto(sample.url)
    await reader.page.getByLabel('Question').fill('What does the error E-42 mean?')
    await reader.page.getByLabel('Question').press('Enter')
    await reader.page.locator('article').filter({ hasText: 'paper' }).waitFor()
    const answer = await reader.page.locator('article').last().textContent()
    expect(reader.faults).toEqual([])
    await reader.context.close()
    await sample.close()
    return answer ?? ''
  }
})

function runInShell(script: string): Promise<{ status: number | null; output: string }> {
  const child = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, output: Buffer.concat(chunks).toString('utf8') }))
  })
}
