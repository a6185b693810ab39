import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { gapListSchema, gapSchema } from '../../src/contract/insights.ts'
import { finishJob } from '../support/agent-jobs.ts'
import { findBarriers } from '../support/find-barriers.ts'
import { cheapPasswords, makeMember, MemberBrowser } from '../support/member-browser.ts'
import { type DashboardPage, narrow, openWindow, owner, setUpOwner, wide } from '../support/open-dashboard.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { closeWindows } from '../support/share-browser.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

// Each test walks through pages of a real browser, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: insights in the dashboard. ${missingChromium}\n`)

const answerable = 'What does the error E-42 mean?'
const missing = 'What does the flumox lever of the kiosk do?'
/** Does something wherever it is taken for markup. */
const hostile = `<img src=x onerror="document.title='hacked'">'"><script>document.title='hacked'</script> zorblax?`

/** One more than the first page of questions holds, of those that stay unanswered. */
const unansweredMin = 26

describe.skipIf(!hasChromium)('insights in the dashboard', () => {
  let docent: Docent
  let window: DashboardPage
  let page: Page
  beforeAll(async () => {
    docent = await startDocent({ passwordCost: cheapPasswords })
    await ask(answerable, 'widget')
    await ask(missing)
    await ask(hostile)
    for (let number = 0; number < unansweredMin; number++) await ask(`Who may bake the cake number ${number}?`)
    window = await openWindow({ storageState: await setUpOwner(docent) })
    page = window.page
  })
  afterAll(async () => {
    await closeWindows()
    await docent?.remove()
  })

  const address = (path: string) => `${docent.url}/dashboard/default${path}`
  const ask = async (text: string, client = '') => {
    const messages = [{ role: 'user', parts: [{ type: 'text', text }] }]
    const path = '/discovery/v2/assistant/docs/message'
    const response = await docent.post(path, { fp: 'reader', messages }, { 'x-docent-client': client })
    await response.text()
  }
  const findGap = async (question: string) => {
    const response = await docent.get('/admin/v1/insights/gaps?siteId=docs&limit=100', asAdmin)
    const { items } = gapListSchema.parse(await response.json())
    const gap = items.find(({ questions }) => questions.some((asked) => asked.question === question))
    if (gap === undefined) throw new Error(`No gap holds ${question}.`)
    return gap
  }

  it('counts questions over time in a chart and in a table, and leads from a caller to its questions', async () => {
    await page.goto(address('/insights'))
    await page.getByRole('img', { name: /^Questions by day \(UTC\): total 29/ }).waitFor()
    await page.getByText('Show as a table').first().click()
    const table = page.getByRole('table', { name: 'Questions by day (UTC)' })
    // The period before is another request.
    await expect.poll(() => table.getByText('–').count()).toBe(0)

    const cells = await table.getByRole('cell').allTextContents()

    // Three outcomes and the period before, for each of thirty days.
    expect(cells).toHaveLength(120)
    expect(cells.reduce((sum, cell) => sum + Number(cell), 0)).toBe(29)
    await page.getByRole('button', { name: 'Widget' }).click()

    await page.waitForURL(/view=questions/)
    expect(new URL(page.url()).searchParams.get('caller')).toBe('widget')
    const rows = page.getByRole('table', { name: 'Questions' }).getByRole('row')
    await rows.getByText(answerable, { exact: true }).waitFor()
    await expect.poll(() => rows.count()).toBe(2)
  })

  it('goes from a gap to a job with an edited prompt, and after its merge shows both answers', async () => {
    const gap = await findGap(missing)
    await page.goto(address('/docs/insights?view=gaps'))
    await page.getByRole('link', { name: gap.name, exact: true }).click()
    await page.getByRole('heading', { name: 'Gap: ' }).waitFor()

    await page.getByRole('button', { name: 'Draft job' }).click()
    const prompt = page.getByLabel('Prompt')
    await prompt.waitFor()
    expect(await prompt.inputValue()).toContain(`> ${missing}`)
    const text = 'The flumox lever of the kiosk turns the sign on and off.'
    await prompt.fill(`Add a page guides/flumox titled "Flumox lever" with this content:\n\`\`\`md\n${text}\n\`\`\``)
    await page.getByRole('button', { name: 'Start job' }).click()
    await page.getByText('Job started', { exact: true }).waitFor()
    await merge(docent, gap.id)

    await page.getByRole('heading', { name: 'Asked again' }).waitFor()
    const asked = page.getByRole('article', { name: missing })
    await asked.getByText('turns the sign on and off').waitFor()
    expect(await asked.textContent()).toMatch(/Before.*Unanswered.*After.*Answered/)
    await page.getByText('Fixed', { exact: true }).waitFor()
    expect(window.faults).toEqual([])
  })

  it('shows what readers wrote as what it is, wherever it stands', async () => {
    const gap = await findGap(hostile)
    const places = [
      'view=questions&search=zorblax',
      'view=topics&search=zorblax',
      'view=gaps',
      `view=gaps&gap=${gap.id}`,
    ]

    for (const place of places) {
      await page.goto(address(`/insights?${place}`))
      await page.getByText(hostile).first().waitFor()
      expect(await page.locator('main img').count()).toBe(0)
    }
    await page.getByRole('button', { name: 'Draft job' }).click()
    await page.getByLabel('Prompt').waitFor()

    expect(await page.title()).not.toBe('hacked')
    expect(window.faults).toEqual([])
  })

  it('has nothing that keeps people out, light and dark, wide and narrow', async () => {
    const gap = await findGap(hostile)
    const barriers: string[] = []
    for (const place of [
      '',
      '?view=questions&search=number+2',
      '?view=topics',
      '?view=gaps',
      `?view=gaps&gap=${gap.id}`,
    ]) {
      await page.setViewportSize(wide)
      await page.goto(address(`/insights${place}`))
      await page
        .getByRole('tabpanel')
        .getByRole(place.includes('gap=') ? 'article' : 'table')
        .or(page.locator('dl'))
        .first()
        .waitFor()
      barriers.push(...(await findBarriers(page, 'light', 'dark')))
      await page.setViewportSize(narrow)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    }
    await page.setViewportSize(wide)
    await page.goto(address('/docs/conversations?search=E-42'))
    await page.getByRole('link', { name: answerable }).click()
    await page.getByRole('region', { name: 'Answer', exact: true }).waitFor()
    barriers.push(...(await findBarriers(page, 'light', 'dark')))

    expect(barriers).toEqual([])
  })

  it('is walked through by keyboard alone', async () => {
    const { keyboard } = page
    await page.goto(address('/insights'))
    await page.getByRole('tab', { name: 'Overview' }).focus()
    await keyboard.press('ArrowRight')
    await page.waitForURL(/view=questions/)
    const asked = page.locator('details').filter({ hasText: 'cake number 7' })
    await asked.locator('summary').focus()
    await keyboard.press('Enter')

    await asked.getByRole('paragraph').first().waitFor()
    expect(await page.getByRole('tab', { name: 'Questions' }).getAttribute('aria-selected')).toBe('true')
  })

  it('refuses viewers what they may not do about a gap', async () => {
    const { id } = await findGap(hostile)
    const viewer = await makeMember(docent, await signInOwner(), 'viewer')

    const replies = await Promise.all(
      ['job', 'retry'].map((act) => viewer.send('POST', `/admin/v1/insights/gaps/${id}/${act}`, {})),
    )

    expect(replies.map(({ status }) => status)).toEqual([403, 403])
  })

  /** Separate from the window, which has its own session. */
  async function signInOwner(): Promise<MemberBrowser> {
    const browser = new MemberBrowser(docent.url)
    await browser.signIn(owner.email, owner.password)
    return browser
  }
})

/** As an editor does elsewhere: waits for the job of the gap, and merges what came of it. */
async function merge(docent: Docent, gapId: string): Promise<void> {
  const gap = gapSchema.parse(await (await docent.get(`/admin/v1/insights/gaps/${gapId}`, asAdmin)).json())
  const job = await finishJob(docent, gap.jobId ?? '')
  const listed = await docent.get('/admin/v1/pull-requests?limit=200', asAdmin)
  const { items } = (await listed.json()) as { items: { id: string; url: string }[] }
  const id = items.find(({ url }) => url === job.prLink)?.id
  const merged = await docent.post(`/admin/v1/pull-requests/${id}/merge`, {}, asAdmin)
  if (!merged.ok) throw new Error(await merged.text())
}
