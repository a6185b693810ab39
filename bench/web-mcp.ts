import assert from 'node:assert/strict'
import { chromium, type Page } from 'playwright-core'
import { buildWeb } from '../test/support/build-web.ts'
import { startDocent } from '../test/support/start-docent.ts'
import { chromiumArguments, findChromium } from '../test/wire/browser/find-chromium.ts'

// WebMCP on a served page in a real Chromium: tools are listed, called and unregistered, and none are there without the
// browser's permission.

const names = ['ask_docs', 'open_docs_page', 'search_docs']

/** @throws {AssertionError} if a tool does not do what it should. */
export async function benchWebMcp(): Promise<void> {
  await buildWeb()
  const docent = await startDocent()
  try {
    await usePage(`${docent.url}/sites/docs/guides/install`, [], async (page) => {
      assert.equal(await page.evaluate(() => 'modelContext' in document), false)
      const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
      assert.ok(!loaded.some((name) => name.endsWith('/tools.js')))
    })
    console.log('  web-mcp without the feature: no tools and no script for them')
    await usePage(`${docent.url}/sites/docs/guides/install`, ['--enable-features=WebMCP'], useTools)
  } finally {
    await docent.remove()
  }
}

async function useTools(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName(`${location.origin}/widget/tools.js`).length > 0)
  await waitFor(async () => (await listNames(page)).length === names.length)
  assert.deepEqual(await listNames(page), names)
  const found = await page.webmcp.callTool('search_docs', { query: 'E-42' })
  assert.match(JSON.stringify(found), /paper has run out/)
  const answer = await page.webmcp.callTool('ask_docs', { question: 'What does E-42 mean?' })
  assert.match(JSON.stringify(answer), /paper has run out.*supported/)
  const missing = await page.webmcp.callTool('open_docs_page', { path: '/nothing' })
  assert.match(JSON.stringify(missing), /"isError":true/)
  await page.webmcp.callTool('open_docs_page', { path: '/guides/printers' })
  await page.waitForURL('**/guides/printers')
  await waitFor(async () => (await listNames(page)).length === names.length)
  await page.evaluate(() => (window as unknown as { docent: { destroy(): void } }).docent.destroy())
  await waitFor(async () => (await listNames(page)).length === 0)
  console.log(`  web-mcp: ${names.join(', ')} listed, called and unregistered`)
}

async function listNames(page: Page): Promise<string[]> {
  return (await page.webmcp.tools()).map(({ name }) => name).toSorted()
}

async function usePage(url: string, args: readonly string[], use: (page: Page) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: [...chromiumArguments, ...args] })
  try {
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    await page.goto(url, { waitUntil: 'networkidle' })
    await use(page)
    assert.deepEqual(faults, [])
  } finally {
    await browser.close()
  }
}

async function waitFor(isDone: () => Promise<boolean>): Promise<void> {
  const signal = AbortSignal.timeout(20_000)
  while (!(await isDone())) {
    signal.throwIfAborted()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
