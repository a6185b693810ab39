import { expect, it } from 'vitest'
import { killAgent } from './kill-agent.ts'

it('ends every job with one pull request and the right tree after the process is killed while it works', async () => {
  const killed: number[] = []

  // A slice; `npm run chaos` does more.
  const faults = await killAgent({
    kills: 3,
    seed: 20_260_807,
    jobsPerKill: 2,
    onKill: ({ kill }) => killed.push(kill),
  })

  expect(faults).toEqual([])
  expect(killed).toEqual([1, 2, 3])
}, 300_000)
