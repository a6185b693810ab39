import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { keyCreatedSchema, keySchema } from '../../src/contract/admin.ts'
import { keyDefaults } from '../../src/contract/key-defaults.ts'
import { runCommand } from '../support/run-command.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

// Commands talk to a running server; without one, each would open the whole service.
let docent: Docent
beforeAll(async () => {
  docent = await startDocent()
})
afterAll(() => docent.remove())

async function run(...args: string[]): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const command = runCommand(['--json', 'key', ...args], { DOCENT_DATA: docent.folder })
  const exitCode = await command.exit
  return { exitCode, stdout: command.stdout(), stderr: command.stderr() }
}

const create = async (...args: string[]) =>
  keyCreatedSchema.parse(
    JSON.parse((await run('create', '--kind', 'assistant', '--name', 'Portal', '--site', 'docs', ...args)).stdout),
  )
const change = async (...args: string[]) => keySchema.parse(JSON.parse((await run('change', ...args)).stdout))

it('key create makes keys for servers, or for websites with what they are given', async () => {
  expect(await create()).toMatchObject({ purpose: 'server', ...keyDefaults.server })
  expect(await create('--for', 'website', '--network-share', '10', '--network-per-day', '0')).toMatchObject({
    purpose: 'website',
    ...keyDefaults.website,
    networkSharePercent: 10,
    networkPerDay: 0,
  })
})

it('key change changes what it names, and clears lists', async () => {
  const { id } = await create('--ip', '10.0.0.1', '--origin', 'https://a.example', '--expires-in-days', '7')

  const changed = await change(
    id,
    '--name',
    'Site',
    '--for',
    'website',
    '--normal-per-minute',
    '60',
    '--group',
    'staff',
    '--answer',
    'ai-sdk',
  )
  const cleared = await change(
    id,
    '--clear',
    'origins',
    '--clear',
    'ips',
    '--clear',
    'answers',
    '--expires-in-days',
    'never',
  )

  expect(changed).toMatchObject({
    name: 'Site',
    purpose: 'website',
    ...keyDefaults.website,
    normalPerMinute: 60,
    ipRanges: ['10.0.0.1/32'],
    origins: ['https://a.example'],
    groups: ['staff'],
    answerOptions: ['ai-sdk'],
  })
  expect(cleared).toEqual({ ...changed, origins: [], ipRanges: [], answerOptions: [], expiresAt: null })
})

it.each([
  ['nothing to change', [], 'Give at least one option to change'],
  ['a list that there is none of', ['--clear', 'all'], 'Use ips or origins or groups or answers'],
  ['a limit that is no number', ['--network-per-day', 'many'], 'Use a whole number'],
  ['a range that lets everybody in', ['--ip', '::/0'], 'lets every address in'],
])('key change refuses %s, and ends with 2', async (_, args, sentence) => {
  const { id } = await create()

  const { exitCode, stderr } = await run('change', id, ...args)

  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(sentence) as unknown })
})
