import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startDocent } from '../test/support/start-docent.ts'

// The official conformance scenarios that a documentation server can pass, against the whole product without a key.

/** By revision; null for extensions. */
const scenarios: readonly (readonly [string | null, readonly string[]])[] = [
  [
    '2026-07-28',
    [
      'server-stateless',
      'http-header-validation',
      'caching',
      'tools-list',
      'resources-list',
      'prompts-list',
      'sep-2164-resource-not-found',
      'server-sse-multiple-streams',
      'input-required-result-unsupported-methods',
      'dns-rebinding-protection',
    ],
  ],
  [
    '2025-11-25',
    ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'],
  ],
  ['2025-06-18', ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list']],
  [null, ['sep-2640-skills-directory', 'sep-2640-skills-enumeration', 'sep-2640-skills-manifest']],
]

/** Checks within these scenarios of tools and folders that only a server made for the suite has. */
const wantsFixture = /Error: Not testable: /

/** Why the other scenarios are not run. */
const notRun: Readonly<Record<string, string>> = {
  'tools-call-*, resources-read-*, resources-templates-read, prompts-get-*, json-schema-2020-12':
    'call fixtures by name',
  'completion-complete, http-custom-header-server-validation': 'call fixtures by name',
  'input-required-result-*': 'call fixtures by name; no tool asks back',
  'elicitation-*, tools-call-sampling, tools-call-elicitation': 'no tool asks back',
  'logging-set-level, resources-subscribe, resources-unsubscribe': 'not offered: removed in 2026-07-28',
  'server-session-lifecycle, server-sse-polling': 'there are no sessions',
  'server-sse-multiple-streams of 2025-11-25': 'answers of that revision are JSON, not streams',
  'tasks-*': 'extension that is not offered',
}

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json'))

/** @throws {Error} if a check fails that wants no fixture. */
export async function benchMcp(): Promise<void> {
  const docent = await startDocent()
  let failed = 0
  try {
    for (const [revision, names] of scenarios) {
      for (const name of names) failed += await runScenario(`${docent.url}/sites/docs/mcp`, name, revision)
    }
  } finally {
    await docent.remove()
  }
  for (const [names, reason] of Object.entries(notRun)) console.log(`  not run: ${names}: ${reason}`)
  if (failed > 0) throw new Error(`${failed} conformance checks failed.`)
}

/** @returns How many checks failed that want no fixture. */
async function runScenario(url: string, name: string, revision: string | null): Promise<number> {
  const args = ['server', '--url', url, '--scenario', name, ...(revision === null ? [] : ['--spec-version', revision])]
  const main = suite.replace(/package\.json$/, 'dist/index.js')
  // It exits with 1 if any check fails.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main, ...args], { timeout: 120_000 }).catch(
    (error: unknown) => error as { stdout: string; stderr: string }, // Has both if the process was started.
  )
  const text = `${stdout}${stderr}`
  const [, passed = '0', total = '0'] = /Passed: (\d+)\/(\d+)/.exec(text) ?? []
  const skipped = text.split('\n').filter((line) => wantsFixture.test(line)).length
  const failed = total === '0' ? 1 : Number(total) - Number(passed) - skipped
  const note = skipped === 0 ? '' : ` (${skipped} want a server made for the suite)`
  console.log(
    `  mcp ${revision ?? 'extension'} ${name}: ${passed} of ${total}${note}${failed === 0 ? '' : `\n${text}`}`,
  )
  return failed
}
