import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../../test/support/run-command.ts'
import { assistantKey, type Docent, startDocent } from '../../test/support/start-docent.ts'
import { searchResponseSchema } from '../contract/search.ts'

let docent: Docent
beforeAll(async () => {
  docent = await startDocent()
})
afterAll(() => docent.remove())

/** Runs `docent search` on the data folder of the running server. */
async function runSearch(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const command = runCommand(['search', ...args], { DOCENT_DATA: docent.folder })
  const code = await command.exit
  return { code, stdout: command.stdout(), stderr: command.stderr() }
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
  expect(withoutKey.stderr).toContain('docent -- key create')
  expect(withWrongKey.code).toBe(1)
  expect(withWrongLimit.code).toBe(2)
})
