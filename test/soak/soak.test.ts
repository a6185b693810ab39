import { expect, it } from 'vitest'
import { soak } from './soak.ts'

it('serves readers, people who leave, and jobs without a failure or anything that grows', async () => {
  // A slice; `npm run soak` goes on for an hour.
  const outcome = await soak({ durationMs: 6_000, sampleEveryMs: 500 })

  expect([...outcome.failures]).toEqual([])
  expect(Math.min(outcome.answers, outcome.aborted, outcome.searches, outcome.jobs)).toBeGreaterThan(0)
}, 120_000)
