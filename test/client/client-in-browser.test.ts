import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { packClient, type PackedClient } from '../support/pack-client.ts'
import { type SampleAlias, type ServedSample, servePage, serveSample } from '../support/serve-sample.ts'
import { closeWindows, shareBrowser } from '../support/share-browser.ts'
import { assistantKey, type Docent, startDocent } from '../support/start-docent.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'
import { type CitedAnswerServer, startCitedAnswerServer } from './cited-answer-server.ts'
import { sveltePlugin, svelteMain, writeReactPage, writeSveltePage, writeVuePage } from './framework-pages.ts'

// The package in the front ends of strangers: in each framework, and as the guide shows it.

const execute = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

// Each test walks through pages of a real browser, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: the client package in a browser. ${missingChromium}\n`)

/** The packages of an application with React, by major of the AI SDK. */
const reactReleases = {
  'AI SDK 5': { '@ai-sdk/react': 'ai-react-v5', ai: 'ai-v5' },
  'AI SDK 6': { '@ai-sdk/react': 'ai-react-v6', ai: 'ai-v6' },
  'AI SDK 7': { '@ai-sdk/react': 'ai-react-v7', ai: 'ai-v7' },
} as const
const otherPackages = { ...reactReleases['AI SDK 7'], 'react-markdown': 'react-markdown', 'remark-gfm': 'remark-gfm' }

describe.skipIf(!hasChromium)('the client package in a browser', () => {
  let packed: PackedClient
  let home: string
  let page: Page
  let sample: ServedSample | null = null
  let faults: string[]
  beforeAll(async () => {
    packed = await packClient()
    home = await packed.install('guide', otherPackages)
  })
  afterAll(async () => {
    await closeWindows()
    await packed?.remove()
  })
  beforeEach(async () => {
    faults = []
    page = await (await shareBrowser()).newPage()
    page.setDefaultTimeout(60_000)
    page.on('pageerror', (error) => void faults.push(error.message))
  })
  afterEach(async () => {
    await page.close()
    await sample?.close()
    sample = null
  })

  const aliasOf = (packages: Readonly<Record<string, string>>): SampleAlias[] => [
    { find: 'docent-client', replacement: join(home, 'node_modules/docent-client/dist/docent-client.js') },
    ...Object.entries(packages).map(([name, installed]) => ({
      find: name === 'ai' ? /^ai$/ : name,
      replacement: installed,
    })),
  ]

  describe('shows an answer and its citations', () => {
    let server: CitedAnswerServer
    beforeAll(async () => {
      server = await startCitedAnswerServer()
    })
    afterAll(() => server?.close())

    const shown = 'Keys **expire**.{1 held}| |They rotate daily.{2 held} – 1 p1, 2 p2'

    it.each(Object.entries(reactReleases))('with React and %s', async (_, packages) => {
      sample = await servePage({ files: { 'main.tsx': writeReactPage(server.url) }, alias: aliasOf(packages) })

      expect(await askOnPage(sample)).toEqual({ answer: shown, status: 'ready', faults: [] })
    })

    it('with Vue', async () => {
      sample = await servePage({ files: { 'main.tsx': writeVuePage(server.url) }, alias: aliasOf({ ai: 'ai-v7' }) })

      expect(await askOnPage(sample)).toEqual({ answer: shown, status: 'ready', faults: [] })
    })

    it('with Svelte', async () => {
      const files = { 'main.tsx': svelteMain, 'app.svelte': writeSveltePage(server.url) }
      sample = await servePage({ files, alias: aliasOf({ ai: 'ai-v7' }), plugins: [sveltePlugin] })

      expect(await askOnPage(sample)).toEqual({ answer: shown, status: 'ready', faults: [] })
    })

    async function askOnPage({ url }: ServedSample) {
      await page.goto(url)
      await page.getByRole('button', { name: 'Ask' }).click()
      await page.getByRole('status').filter({ hasText: 'ready' }).waitFor()
      await page.locator('article').filter({ hasText: '{2' }).waitFor()
      const status = await page.getByRole('status').textContent()
      return { answer: await page.locator('article').textContent(), status, faults }
    }
  })

  describe('as the guide shows it', () => {
    let docent: Docent
    let example: string
    beforeAll(async () => {
      docent = await startDocent()
      const guide = await readFile(join(root, 'docs/guides/usechat-v5.mdx'), 'utf8')
      example = /^```tsx\n(.*?)^```$/ms.exec(guide)?.[1] ?? ''
    })
    afterAll(() => docent?.remove())

    it('compiles in a strict application', async () => {
      await writeFile(join(home, 'assistant.tsx'), example)
      const strict = ['--strict', '--noUncheckedIndexedAccess', '--noUnusedLocals', '--noEmit', '--skipLibCheck']
      const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022']
      const browser = ['--lib', 'es2023,dom,dom.iterable', '--jsx', 'react-jsx', '--types', '', '--ignoreConfig']

      const compiled = execute(
        join(root, 'node_modules/.bin/tsc'),
        [...strict, ...modules, ...browser, 'assistant.tsx'],
        {
          cwd: home,
        },
      ).catch((error: { stdout: string }) => error)

      expect((await compiled).stdout).toBe('')
    })

    it.each(Object.entries(reactReleases))(
      'answers with Markdown, citations and sources, with %s',
      async (_, packages) => {
        const code = example.replace('https://docent.example.com', docent.url).replace('svc_dsc_...', assistantKey)
        sample = await serveSample(code, aliasOf(packages))
        await page.goto(sample.url)

        const paragraphs = await askInExample('What does the error E-42 mean?')
        const table = await askInExample('What is the limit of tickets per sale?')

        expect(await paragraphs.locator('p').first().textContent()).toBe(
          'The code E-42 means that the paper has run out. 1 Insert a new roll and press the green button. 1',
        )
        const source = `${docent.url}/sites/docs/guides/printers#error-e-42:~:text=`
        expect(await paragraphs.getByRole('link', { name: '1' }).first().getAttribute('href')).toContain(source)
        expect(await paragraphs.getByRole('listitem').textContent()).toBe('[1] Printers: Error E-42')
        expect(await table.locator('tbody tr').first().textContent()).toMatch(/^Tickets per sale20 1$/)
        expect(faults).toEqual([])
      },
    )

    async function askInExample(question: string): Promise<Locator> {
      const answers = await page.locator('article').count()
      await page.getByLabel('Question').fill(question)
      await page.getByLabel('Question').press('Enter')
      // The question is an article too.
      const answer = page.locator('article').nth(answers + 1)
      await answer.getByRole('listitem').filter({ hasText: '[1]' }).waitFor()
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
      return answer
    }
  })

  describe('lights a quote', () => {
    const words = `
      <h2 id="a">First</h2><p>Run <code>npm start</code> to begin.</p>
      <h2 id="b">Second</h2><details><summary>More</summary><p>Run <code>npm start</code> to <em>“begin”</em>.</p></details>
      <script>var text = 'Nothing else'</script><p>Straße, cafe\u0301 and 日本語.</p>`

    beforeEach(async () => {
      const main = `// @ts-nocheck
        import { lightQuote } from 'docent-client'
        window.light = (quote, anchor) => (window.putOut = lightQuote(quote, { anchor }))
        window.lit = () => [...(CSS.highlights.get('docent-quote') ?? [])].map((range) => range.toString())`
      sample = await servePage({ files: { 'main.tsx': main }, alias: aliasOf({ ai: 'ai-v7' }) })
      await page.goto(sample.url)
      await page.waitForFunction('window.light !== undefined')
      await page.evaluate((html) => void (document.body.innerHTML = html), words)
    })

    const light = (quote: string, anchor: string | null = null) =>
      page.evaluate(`[window.light(${JSON.stringify(quote)}, ${JSON.stringify(anchor)}) !== null, window.lit()]`)

    it.each([
      ['Run `npm start` to begin', 'Run npm start to begin'],
      ['[Run](/start?a=b) **npm start**', 'Run npm start'],
      ['CAFÉ and 日本', 'cafe\u0301 and 日本'],
      ['strasse', null],
      ['Nothing else', null],
      ['…', null],
    ])('%s', async (quote, lit) => {
      expect(await light(quote)).toEqual(lit === null ? [false, []] : [true, [lit]])
    })

    it('of the section that is named, opening what hides it, and puts it out again', async () => {
      expect(await light('Run `npm start` to "begin"', 'b')).toEqual([true, ['Run npm start to “begin']])
      expect(await page.locator('details').getAttribute('open')).toBe('')

      await page.evaluate('window.putOut()')

      expect(await page.evaluate('window.lit()')).toEqual([])
    })
  })
})
