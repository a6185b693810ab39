import { spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { keyCreatedSchema } from '../../src/contract/admin.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { writeAssistantSamples } from '../../web/dashboard/pages/keys/code-samples.ts'
import { cheapPasswords } from '../support/member-browser.ts'
import { openWindow } from '../support/open-dashboard.ts'
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
  let samples: ReturnType<typeof writeAssistantSamples>
  beforeAll(async () => {
    docent = await startDocent({ passwordCost: cheapPasswords })
    const key = { kind: 'assistant', name: 'Samples', siteId: 'docs', purpose: 'website' }
    const { secret } = keyCreatedSchema.parse(await (await docent.post('/admin/v1/keys', key, asAdmin)).json())
    samples = writeAssistantSamples({ baseUrl: docent.url, domain: 'docs', secret })
  })
  afterAll(async () => {
    await closeWindows()
    await docent?.remove()
  })

  const codeOf = (id: string) => samples.find((sample) => sample.id === id)?.code ?? ''

  it('asks with curl', async () => {
    const { status, output } = await runInShell(codeOf('curl'))

    expect(status).toBe(0)
    expect(output).toMatch(/"type":"text-delta"/)
    expect(output).toMatch(/data: \[DONE\]\n\n$/)
  })

  it.each(['v5', 'v4'] as const)('asks with useChat of AI SDK %s', async (version) => {
    expect(await askInSample(codeOf(version), version)).toContain('E-42')
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
