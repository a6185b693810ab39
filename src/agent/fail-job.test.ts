import { expect, it } from 'vitest'
import { AppError } from '../contract/app-error.ts'
import type { AgentJob } from '../store/agent/agent-jobs.ts'
import type { Store } from '../store/store.ts'
import { failJob } from './fail-job.ts'

it('retries a job that found the database unavailable, instead of failing it for good', async () => {
  const job = { attempt: 1 } as AgentJob // What is decided depends on nothing else of it.
  const store = {} as Store // Nothing is written while a job is to be tried again.
  const away = new AppError('database_unavailable', 'The database cannot be reached right now.')

  const retryAt = await failJob({ store, clock: { now: () => 1_000 } }, job, away)

  expect(retryAt).toBe(5_000)
})
