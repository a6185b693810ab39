import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createJob, finishJob } from '../support/agent-jobs.ts'
import { cheapPasswords } from '../support/member-browser.ts'
import { type DashboardPage, openWindow, patience, setUpOwner, throwFaults } from '../support/open-dashboard.ts'
import { openPullRequest, pushChange } from '../support/pull-requests.ts'
import {
  type ChatRequest,
  type ScriptedProvider,
  type ScriptedStep,
  startScriptedProvider,
} from '../support/scripted-provider.ts'
import { closeWindows } from '../support/share-browser.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

// Each test walks through pages of a real browser, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: jobs of a model in a browser. ${missingChromium}\n`)

/** Does something wherever it is taken for markup. */
const hostile = `<img src=x onerror="document.title='hacked'">'"><script>document.title='hacked'</script>`
/** As far as paths go that the agent may write. */
const hostilePath = `guides/&lt;img src=x onerror=document.title='hacked'&gt;.mdx`
const hostileBranch = `docent/<script>document.title='hacked'<script>`

describe.skipIf(!hasChromium)('jobs of a model in the dashboard', () => {
  let docent: Docent
  let window: DashboardPage
  let page: Page
  let provider: ScriptedProvider
  let release = () => {}
  let held = Promise.resolve()
  const start = async (more: { folder?: string; env?: Record<string, string> } = {}) => {
    docent = await startDocent({
      ...more,
      passwordCost: cheapPasswords,
      env: {
        DOCENT_AGENT_MODEL: 'openai-compatible/scripted',
        DOCENT_AGENT_MODEL_BASE_URL: provider.url,
        DOCENT_AGENT_MODEL_API_KEY: 'none',
        ...more.env,
      },
    })
  }
  beforeAll(async () => {
    provider = await startScriptedProvider(async (request) => {
      const step = playStep(request)
      // What comes after the first step waits until the test has looked.
      if (step.calls?.[0]?.tool === 'finish') await held
      return step
    })
    await start()
    window = await openWindow({ storageState: await setUpOwner(docent) })
    page = window.page
  })
  afterAll(async () => {
    await closeWindows()
    await docent?.remove()
    await provider?.close()
  })
  beforeEach(() => {
    held = new Promise((resolve) => (release = resolve))
  })
  afterEach(() => {
    release()
    throwFaults(window)
  })

  const address = (path: string) => `${docent.url}/dashboard/default${path}`
  /** Beneath the heading of a section. */
  const section = (name: string) => page.getByRole('region', { name })

  it('show plan and change while the agent works, in two tabs, and end in both', async () => {
    const { id } = await createJob(docent, 'Write about lanterns')
    const second = await window.context.newPage()
    for (const tab of [page, second]) {
      await tab.goto(address(`/jobs/${id}`))
      await tab.getByText('The agent is working').waitFor()
      await tab.getByRole('region', { name: 'Plan' }).getByText('Write the page').waitFor()
      await tab.getByRole('region', { name: 'Changes' }).getByText('Lanterns glow.').waitFor()
    }

    release()

    for (const tab of [page, second]) {
      await tab.getByRole('region', { name: 'Pull request' }).getByText('Open', { exact: true }).waitFor()
      await expect.poll(() => tab.getByText('The agent is working').count(), patience).toBe(0)
    }
    await second.close()
  })

  it('run nothing of what prompts, models, branches, files and titles hold', async () => {
    release()
    const job = await createJob(docent, `Write hostile ${hostile}`, { branch: hostileBranch })
    const ended = await finishJob(docent, job.id)
    expect(ended.failure).toBeNull()
    const client = await pushChange(docent, { branch: `b'"<img>`, path: `<b onclick='x'>.md`, text: `# ${hostile}\n` })
    await client.remove()
    const opened = await openPullRequest(docent, { branch: `b'"<img>`, title: hostile, body: hostile })

    for (const [path, text] of [
      [`/jobs/${job.id}`, hostilePath],
      ['/jobs', hostileBranch],
      ['/pull-requests', hostile],
      [`/jobs?search=${encodeURIComponent(hostile)}`, hostileBranch],
    ] as const) {
      await page.goto(address(path))
      await page.getByText(text).first().waitFor()
      await expectInert()
    }
    for (const url of [opened.url, ended.pullRequest?.url ?? '']) {
      await page.goto(url)
      await page.getByRole('heading', { name: 'Files' }).first().waitFor()
      await expectInert()
    }
  })

  // The last of the tests, because the service is another one afterwards.
  it('go on when the service was stopped and is started again', async () => {
    const { id } = await createJob(docent, 'Write about wicks')
    await page.goto(address(`/jobs/${id}`))
    await section('Changes').getByText('Lanterns glow.').waitFor()

    const { folder, url } = docent
    await docent.stop()
    await page.getByText('Docent is not responding. Retrying').waitFor()
    await start({ folder, env: { PORT: new URL(url).port } })
    await expect.poll(() => page.getByText('Docent is not responding').count(), patience).toBe(0)
    release()

    await section('Pull request').getByText('Open', { exact: true }).waitFor()
    await section('Steps').getByText('Completed').waitFor()
    expect(await section('Steps').getByText('Write about wicks').count()).toBe(1)
  })

  async function expectInert(): Promise<void> {
    expect(await page.title()).not.toBe('hacked')
    expect(await page.locator('main img, main script, main b[onclick]').count()).toBe(0)
    expect(window.faults).toEqual([])
  }
})

/** Plans and writes a page, and then finishes. What is asked for hostile texts writes those. */
function playStep({ messages }: ChatRequest): ScriptedStep {
  const said = JSON.stringify(messages.filter(({ role }) => role === 'user'))
  const last = messages.at(-1)?.role
  const isHostile = said.includes('Write hostile')
  if (last === 'tool') return { calls: [{ tool: 'finish', input: describeWork(isHostile ? hostile : 'Lanterns') }] }
  const [path, text] = isHostile ? [hostilePath, hostile] : ['guides/lantern.mdx', 'Lanterns glow.']
  const content = `---\ntitle: A page\n---\n\n${isHostile ? `\`${text}\`` : text}\n`
  return {
    text: isHostile ? hostile : 'I begin.',
    calls: [
      { tool: 'plan', input: { items: [{ text: isHostile ? hostile : 'Write the page', state: 'doing' }] } },
      { tool: 'write', input: { path, content, listed: true } },
    ],
  }
}

function describeWork(text: string) {
  return { title: text.slice(0, 60), summary: text }
}
