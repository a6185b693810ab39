import { expect, it } from 'vitest'
import { floodKey } from './flood-key.ts'

it('a flood on a public key spends no more than the ceiling, leaves the search alone, and lets honest readers in', async () => {
  const outcome = await floodKey({ addresses: 20, usdMax: 0.05, normalPerMinute: 5 })

  // Beyond the ceiling the offline model answers.
  expect(outcome.open).toEqual({ 200: 20 })
  expect({ spentUsd: outcome.spentUsd, modelCalls: outcome.modelCalls }).toEqual({ spentUsd: 0.05, modelCalls: 5 })
  expect(outcome.guarded).toEqual({ 200: 5, 403: 15 })
  expect(outcome.searches).toEqual({ 200: 4 })
  // Just above what is usual, because what is refused counts for nothing.
  expect(outcome.honest).toMatchObject({ status: 200, bits: 12 })
  expect(outcome.elsewhere).toBe(200)
})
