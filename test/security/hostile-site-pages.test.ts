import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createGitRepository, type GitRepository } from '../support/git-repository.ts'
import { cheapPasswords } from '../support/member-browser.ts'
import { type DashboardPage, openWindow, setUpOwner } from '../support/open-dashboard.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { createScriptedModel, paidFinish, type ScriptedModel } from '../support/scripted-model.ts'
import { closeWindows } from '../support/share-browser.ts'
import { assistantKey, type Docent, startDocent } from '../support/start-docent.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

// Each test walks through pages of a real browser, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: hostile text on the pages of a site. ${missingChromium}\n`)

const elsewhere = 'http://evil.invalid'

/** Each does something, or asks another host, wherever it is taken for markup. */
const corpus = [
  `<img src=x onerror="globalThis.hacked=1">`,
  `<script>globalThis.hacked=1</script>`,
  `<svg onload=globalThis.hacked=1><a xlink:href="javascript:globalThis.hacked=1"><text>x</text></a></svg>`,
  `<iframe src="${elsewhere}/frame" srcdoc="<script>parent.hacked=1</script>"></iframe>`,
  `<a href="javascript:globalThis.hacked=1" onclick="globalThis.hacked=1">press</a>`,
  `[press](javascript:globalThis.hacked=1) [press](JaVaScRiPt:globalThis.hacked=1) <javascript:globalThis.hacked=1>`,
  `[press](data:text/html,<script>globalThis.hacked=1</script>) [press](vbscript:hacked) [press](//evil.invalid/x)`,
  `![pixel](${elsewhere}/pixel.png?secret) ![pixel](data:image/svg+xml,<svg/onload=hacked>)`,
  `<style>@import "${elsewhere}/style.css"</style><link rel=stylesheet href="${elsewhere}/style.css">`,
  `<form action="${elsewhere}/form"><button autofocus onfocus="globalThis.hacked=1">press</button></form>`,
  '```html"><script>globalThis.hacked=1</script>\n</code></pre><script>globalThis.hacked=1</script>\n```',
  `| <img src=x onerror=globalThis.hacked=1> | b |\n| --- | --- |\n| [x](javascript:hacked) | </td><script>hacked=1</script> |`,
  `{{constructor.constructor('globalThis.hacked=1')()}} \${globalThis.hacked=1}`,
]
const hostileName = `<img src=x onerror=globalThis.hacked=1>'"><script>globalThis.hacked=1<\u2044script>`
const hostileBranch = `main<img/src=x/onerror=globalThis.hacked=1>`

describe.skipIf(!hasChromium)('text of others on the pages of a site', () => {
  let docent: Docent
  let repository: GitRepository
  let model: ScriptedModel
  let window: DashboardPage
  let page: Page
  const asked: string[] = []
  beforeAll(async () => {
    const answer = [...corpus, 'The lantern glows, see [the page](/lantern).'].join('\n\n')
    const endless = new Promise<never>(() => {})
    const steps = [
      [{ type: 'text', text: answer } as const, paidFinish(0.25)],
      [{ type: 'text', text: answer } as const, paidFinish(0.25)],
      [{ type: 'text', text: 'This begins ' } as const, { type: 'wait', until: endless } as const],
      [{ type: 'text', text: 'This is whole.' } as const, paidFinish(0.25)],
    ]
    model = createScriptedModel(steps)
    docent = await startDocent({ model, passwordCost: cheapPasswords })
    repository = await createHostileRepository()
    await addHostileSite(docent, repository)
    window = await openWindow({ storageState: await setUpOwner(docent) })
    page = window.page
    page.on('request', (request) => asked.push(new URL(request.url()).origin))
  })
  afterAll(async () => {
    await closeWindows()
    await docent?.remove()
    await repository?.remove()
  })

  it('shows names of sites, branches, files and pages, and findings, as what they are', async () => {
    for (const path of ['', '/lantern', '/lantern/settings']) {
      await page.goto(`${docent.url}/dashboard/default${path}`)
      await page.getByText(hostileName).first().waitFor()
      await expectHarmless()
    }
    await page.goto(`${docent.url}/dashboard/default/lantern`)
    await page.getByText(hostileBranch).waitFor()
    await page.getByRole('row', { name: /onerror=globalThis\.hacked=1>\.mdx/ }).waitFor()

    await expectHarmless()
  })

  it('shows hits of a search, whose titles and texts are hostile, as text', async () => {
    await page.goto(`${docent.url}/dashboard/default/lantern/search?q=${encodeURIComponent(`lantern ${corpus[0]}`)}`)
    await page
      .getByRole('region', { name: 'Passage 1', exact: true })
      .getByText('Passage text', { exact: true })
      .click()
    await page
      .getByRole('heading', { name: /hacked/ })
      .first()
      .waitFor()

    await expectHarmless()
  })

  it('runs and loads nothing of a question, an answer or a citation, in the playground and in conversations', async () => {
    await page.goto(`${docent.url}/dashboard/default/lantern/playground`)
    await page.getByLabel('Question').fill(corpus.join('\n'))
    await page.keyboard.press('Enter')
    await page.getByText('Total time').waitFor()
    await expectHarmless()

    const question = {
      fp: hostileName,
      messages: [{ role: 'user', parts: [{ type: 'text', text: corpus.join(' ') }] }],
    }
    const key = await docent.post('/admin/v1/keys', { kind: 'assistant', name: 'x', siteId: 'lantern' }, asAdmin)
    const { secret = assistantKey } = (await key.json()) as { secret?: string }
    const headers = { authorization: `Bearer ${secret}` }
    await (await docent.post('/discovery/v2/assistant/lantern/message', question, headers)).text()
    await page.goto(`${docent.url}/dashboard/default/lantern/conversations`)
    await page.getByRole('row').nth(1).getByRole('link').click()
    await page.getByRole('region', { name: 'Answer', exact: true }).waitFor()
    await expectHarmless()
    await page.getByRole('link', { name: 'Open in the playground' }).click()
    await page.getByText('A copy of a stored conversation.').waitFor()

    await expectHarmless()
    expect(model.calls).toHaveLength(2)
  })

  it('stops an answer that goes on, tells the model so, and answers again', async () => {
    await page.goto(`${docent.url}/dashboard/default/lantern/playground`)
    await page.getByLabel('Question').fill('How long does the lantern glow?')
    await page.keyboard.press('Enter')
    await page.getByText('This begins').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Regenerate answer' }).waitFor()
    await expect.poll(() => model.calls.at(-1)?.abortSignal?.aborted, { timeout: 60_000 }).toBe(true)
    await page.getByLabel('Instructions').fill('Speak like a pirate.')
    await page.getByRole('button', { name: 'Regenerate answer' }).click()

    await page.getByText('This is whole.').first().waitFor()
    expect(await page.getByText('This begins').count()).toBe(0)
    expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain('Speak like a pirate.')
    const stored = (await (await docent.get('/admin/v1/sites/lantern', asAdmin)).json()) as { settings: object }
    expect(stored.settings).toMatchObject({ instructions: null })
  })

  /** Nothing has run, nothing was refused because it never got so far, nothing was asked of others. */
  async function expectHarmless(): Promise<void> {
    const found = await page.evaluate(() => ({
      hacked: Reflect.get(globalThis, 'hacked') ?? null,
      elements: document.querySelectorAll(
        'img, iframe, form[action], style, main script, [onerror], [onclick], [onload]',
      ).length,
      protocols: [...document.querySelectorAll('a')].map((link) => link.protocol),
    }))
    expect(found).toMatchObject({ hacked: null, elements: 0 })
    expect(found.protocols.filter((protocol) => !/^https?:$/.test(protocol))).toEqual([])
    expect(window.faults).toEqual([])
    expect(new Set(asked)).toEqual(new Set([docent.url]))
  }
})

async function createHostileRepository(): Promise<GitRepository> {
  const repository = await createGitRepository()
  const title = JSON.stringify(hostileName)
  const fenced = `\`\`\`\`text\n${corpus.join('\n')}\n\`\`\`\``
  await repository.write('lantern.md', `---\ntitle: ${title}\n---\n\nThe lantern glows for nine hours.\n\n${fenced}\n`)
  await repository.write('<img src=x onerror=globalThis.hacked=1>.mdx', '# Broken\n\nSee <Card title="never closed"\n')
  repository.commit()
  repository.git(['branch', hostileBranch])
  return repository
}

async function addHostileSite(docent: Docent, { folder }: GitRepository): Promise<void> {
  const source = { kind: 'git', location: folder, ref: hostileBranch }
  const created = await docent.post('/admin/v1/sites', { slug: 'lantern', name: hostileName, source }, asAdmin)
  if (!created.ok) throw new Error(await created.text())
  await vi.waitFor(
    async () => {
      const site = (await (await docent.get('/admin/v1/sites/lantern', asAdmin)).json()) as object
      expect(site).toMatchObject({ run: { state: 'succeeded' }, generation: { number: 1 } })
    },
    { timeout: 60_000, interval: 50 },
  )
}
