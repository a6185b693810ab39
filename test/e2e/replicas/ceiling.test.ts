import { afterAll, describe, expect, it } from 'vitest'
import { askDocent } from '../../support/ask.ts'
import { startBillingProvider } from '../../support/billing-provider.ts'
import { noonClock } from '../../support/noon.ts'
import { startReplicas } from '../../support/start-replicas.ts'
import { startPostgres } from '../../support/start-postgres.ts'

const postgres = await startPostgres()
if ('unavailable' in postgres) process.stderr.write(`Skipped the ceiling of replicas: ${postgres.unavailable}\n`)
afterAll(async () => {
  if ('stop' in postgres) await postgres.stop()
}, 30_000)

describe.skipIf('unavailable' in postgres)('two servers on one database', () => {
  it('spend no more than the ceiling of a site together', async () => {
    const provider = await startBillingProvider({ prices: { usual: { input: 3, output: 15 } } })
    const replicas = await startReplicas({
      clock: noonClock,
      databaseUrl: 'url' in postgres ? postgres.url : '',
      env: {
        DOCENT_MODEL: 'openai-compatible/usual',
        DOCENT_MODEL_BASE_URL: provider.url,
        DOCENT_MODEL_PRICES: 'openai-compatible/usual=3:15',
        DOCENT_SITE_COST_PER_DAY: '1',
      },
    })

    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        askDocent(replicas.servers[index % 2 === 0 ? 0 : 1], `${index} What does the error E-42 mean?`),
      ),
    )
    await replicas.stop()
    await provider.close()

    expect(answers.filter(({ status, error }) => status !== 200 || error !== null)).toEqual([])
    expect(new Set(answers.map(({ metadata }) => metadata['model']))).toEqual(
      new Set(['openai-compatible/usual', 'docent/offline']),
    )
    expect(provider.billedUsd()).toBeLessThanOrEqual(1)
    expect(provider.billedUsd()).toBeGreaterThan(0.5)
  }, 120_000)
})
