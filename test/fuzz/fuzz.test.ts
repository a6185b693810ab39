import { expect, it, vi } from 'vitest'
import { runFuzz } from './run-fuzz.ts'

// Starts the whole product and hundreds of git commands.
vi.setConfig({ testTimeout: 300_000 })

it('answers malformed input of every kind as the contract says, logs no fault of its own, and lives on', async () => {
  const faults = await runFuzz({ inputs: 1_000, seed: 20_261_121, rounds: 1, print: () => {} })

  expect(faults).toEqual([])
})
