import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { chromiumArguments, findChromium } from '../wire/browser/find-chromium.ts'
import type { Docent } from './start-docent.ts'

export const owner = {
  name: 'Ada Owner',
  email: 'ada@example.com',
  password: 'seven green kettles sing',
} as const

/** Generous, because a busy machine must not turn a test red. */
const stepTimeoutMs = 60_000

/** The same for `expect.poll`, which else waits for a second. */
export const patience = { timeout: stepTimeoutMs } as const

/** One Chromium for all tests of a file, with the dashboard built of the sources as they are. */
export async function launchBrowser(): Promise<Browser> {
  await buildDashboard()
  return chromium.launch({ executablePath: findChromium() ?? '', args: chromiumArguments })
}

/** In a process of its own, because the one of the tests has another NODE_ENV. Does nothing when it is built already. */
async function buildDashboard(): Promise<void> {
  const script = fileURLToPath(new URL('../../scripts/build-dashboard.ts', import.meta.url))
  const env = { ...process.env, NODE_ENV: 'production' }
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'], env })
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error('The dashboard cannot be built: npm run build says why.')
}

export interface DashboardPage {
  page: Page
  context: BrowserContext
  /** What the browser refused because of the policy, and what was thrown, so far. */
  faults: string[]
}

/** A window of its own, in which nobody is signed in. */
export async function openWindow(browser: Browser, options: BrowserContextOptions = {}): Promise<DashboardPage> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 860 }, ...options })
  context.setDefaultTimeout(stepTimeoutMs)
  const faults: string[] = []
  await context.exposeBinding('reportFault', (_, fault: string) => void faults.push(fault))
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      const report = Reflect.get(globalThis, 'reportFault') as (fault: string) => void
      report(`${violatedDirective} ${blockedURI} ${sample}`)
    })
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(String(error)))
  return { page, context, faults }
}

/** The token of the link that the first start prints. */
export function ownerToken({ service }: Docent): string {
  return new URL(service.firstStart?.ownerLink ?? '').searchParams.get('token') ?? ''
}

/** Makes the owner's account, without a browser. Once for a service. */
export async function setUpOwner(docent: Docent): Promise<void> {
  const response = await docent.post('/auth/accept', { token: ownerToken(docent), ...owner })
  if (!response.ok) throw new Error(await response.text())
}

/** Signs in on the page that asks for it, and waits for the page that was asked for. */
export async function signIn(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByLabel('E-mail').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(address)
}
