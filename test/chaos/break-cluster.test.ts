import { expect, it } from 'vitest'
import { breakCluster } from './break-cluster.ts'

it('keeps every promise to clients of a cluster whose processes, network and database are disturbed', async ({
  skip,
}) => {
  const disturbed: string[] = []

  // A slice without the slowest kind; `npm run chaos -- cluster` does more.
  const outcome = await breakCluster({
    disturbances: 3,
    seed: 4,
    only: ['kill -9', 'database restarted', 'connections to the database cut'],
    onDisturbed: ({ name }) => disturbed.push(name),
  })
  if ('unavailable' in outcome) return skip(outcome.unavailable)

  expect(outcome.faults).toEqual([])
  expect(disturbed).toHaveLength(3)
  expect(outcome.answers).toBeGreaterThan(0)
}, 300_000)
