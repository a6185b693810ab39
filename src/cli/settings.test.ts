import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../../test/support/run-command.ts'
import { type Docent, startDocent } from '../../test/support/start-docent.ts'

let docent: Docent
beforeAll(async () => {
  docent = await startDocent()
})
afterAll(() => docent.remove())

/** Runs `docent settings` on the data folder of the running server. @returns Its exit code and what it printed. */
async function run(...args: string[]): Promise<[code: number | null, printed: string]> {
  const command = runCommand(['settings', ...args], { DOCENT_DATA: docent.folder })
  return [await command.exit, (command.stdout() + command.stderr()).trim()]
}

it('says whether a setting is stored, under either spelling of its name, and shows where each comes from', async () => {
  const stored = await run('set', 'model.baseUrl', 'https://models.example.com/v1')
  const [, listed] = await run('list')
  const removed = await run('unset', 'modelBaseUrl')

  expect(stored).toEqual([0, 'Stored modelBaseUrl.'])
  expect(listed).toMatch(/^SETTING +FROM +VALUE$/m)
  expect(listed).toMatch(/^modelBaseUrl +stored +https:\/\/models\.example\.com\/v1$/m)
  expect(removed).toEqual([0, 'Removed modelBaseUrl.'])
})
