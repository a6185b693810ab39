import { afterAll, describe, expect, it } from 'vitest'
import { startPostgres } from '../support/start-postgres.ts'
import { killMove, killRestore } from './kill-transfer.ts'

/** A slice; `npm run chaos` does thirty of each. */
const kills = 1

const server = await startPostgres()
if ('unavailable' in server) process.stderr.write(`Skipped kills of a move to PostgreSQL: ${server.unavailable}\n`)
const databaseUrl = 'url' in server ? server.url : ''

afterAll(async () => {
  if ('stop' in server) await server.stop()
})

describe.skipIf(databaseUrl === '')('a move to PostgreSQL that is killed', () => {
  it('leaves the source whole and nothing half there, and the next run finishes', async () => {
    expect(await killMove({ kills, seed: 20_261_121, databaseUrl })).toEqual([])
  }, 300_000)
})

it('leaves the old state, the new one or a refusal behind a restore that is killed, and the next run finishes', async () => {
  expect(await killRestore({ kills, seed: 20_261_121 })).toEqual([])
}, 300_000)
