import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { searchResponseSchema } from '../contract/search.ts'
import { assistantKey, type Docent, startDocent } from '../../test/support/start-docent.ts'

let docent: Docent
beforeEach(async () => {
  docent = await startDocent()
})
afterEach(() => docent.remove())

/** Runs `docent search` on the data folder of the running server. */
function runSearch(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH ?? '', DOCENT_DATA: docent.folder }
  const command = [join(import.meta.dirname, 'main.ts'), 'search', ...args]
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

it('prints the passages that fit: as JSON for scripts, with their address for people', async () => {
  const forScripts = await runSearch('E-42', 'paper', '--key', assistantKey, '--limit', '2', '--json')
  const forPeople = await runSearch('E-42', 'paper', '--key', assistantKey)

  const results = searchResponseSchema.parse(JSON.parse(forScripts.stdout))
  expect(results.map(({ path }) => path)).toContain('/guides/printers')
  expect(results.length).toBeLessThanOrEqual(2)
  expect(forPeople).toMatchObject({ code: 0, stderr: '' })
  expect(forPeople.stdout).toMatch(/^0\.\d\d {2}.*\n +http\S+\/guides\/printers/)
})

it('says how to get a key, and takes no page size that the service refuses', async () => {
  const [withoutKey, withWrongKey, withWrongLimit] = await Promise.all([
    runSearch('paper'),
    runSearch('paper', '--key', `svc_dsc_${'x'.repeat(43)}`),
    runSearch('paper', '--key', assistantKey, '--limit', '51'),
  ])

  expect(withoutKey).toMatchObject({ code: 1, stdout: '' })
  expect(withoutKey.stderr).toContain('docent key create')
  expect(withWrongKey.code).toBe(1)
  expect(withWrongLimit.code).toBe(2)
})
