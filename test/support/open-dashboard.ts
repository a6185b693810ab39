import { buildWeb } from './build-web.ts'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { MemberBrowser } from './member-browser.ts'
import { shareBrowser } from './share-browser.ts'
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

export const wide = { width: 1_280, height: 860 } as const

/** The least width at which a page works. */
export const narrow = { width: 390, height: 860 } as const

let built: Promise<void> | null = null

export interface DashboardPage {
  page: Page
  context: BrowserContext
  /** What the browser refused because of the policy, and what was thrown in any of its pages, so far. */
  faults: string[]
}

/**
 * A window of the dashboard, built of the sources as they are. Nobody is signed in, unless the options say whose session it
 * keeps. Windows cost more than pages do: tests of one member share theirs where none disturbs the next.
 */
export async function openWindow(options: BrowserContextOptions = {}): Promise<DashboardPage> {
  await (built ??= buildWeb())
  const browser = await shareBrowser()
  const context = await browser.newContext({ viewport: wide, reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(stepTimeoutMs)
  const faults: string[] = []
  await context.exposeBinding('reportFault', (_, fault: string) => void faults.push(fault))
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      const report = Reflect.get(globalThis, 'reportFault') as (fault: string) => void
      report(`${violatedDirective} ${blockedURI} ${sample}`)
    })
  })
  context.on('weberror', (error) => faults.push(String(error.error())))
  return { page: await context.newPage(), context, faults }
}

/** Throws what a window has seen go wrong since it was asked before. */
export function throwFaults({ faults }: DashboardPage): void {
  const seen = faults.splice(0)
  if (seen.length > 0) throw new Error(seen.join('\n'))
}

/** The browser storage of a signed-in member. */
export type KeptSession = Exclude<BrowserContextOptions['storageState'], string | undefined>

export function keepSession(browser: MemberBrowser, { url }: Docent): KeptSession {
  const kept = { domain: new URL(url).hostname, path: '/', expires: -1, httpOnly: true, secure: false } as const
  return {
    cookies: [...browser.cookies].map(([name, value]) => ({ name, value, ...kept, sameSite: 'Lax' as const })),
    origins: [],
  }
}

/** The token of the link that the first start prints. */
export function ownerToken({ service }: Docent): string {
  return new URL(service.firstStart?.ownerLink ?? '').searchParams.get('token') ?? ''
}

/** Makes the owner's account, without a page. Once for a service. @returns The session of the owner. */
export async function setUpOwner(docent: Docent): Promise<KeptSession> {
  const browser = new MemberBrowser(docent.url)
  const response = await browser.accept(ownerToken(docent), owner)
  if (!response.ok) throw new Error(await response.text())
  return keepSession(browser, docent)
}

/** Signs in on the page that asks for it, and waits for the page that was asked for. */
export async function signIn(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(address)
}
