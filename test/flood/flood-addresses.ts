import { floodBounds } from './flood-bounds.ts'
import { floodKey } from './flood-key.ts'
import { checkBound, type FloodOutcome } from './flood-scenario.ts'

/** Asks from a thousand networks. In this process, because the clock has to stand still. */
export async function floodAddresses(): Promise<FloodOutcome> {
  const figures = await floodKey({ addresses: 1_000, usdMax: floodBounds.spentUsd, normalPerMinute: 30 })
  const refused = Object.keys(figures.searches).filter((status) => status !== '200')
  return {
    figures: { ...figures },
    faults: [
      ...checkBound('US dollars spent', figures.spentUsd, floodBounds.spentUsd),
      ...refused.map((status) => `A search was answered with ${status}`),
      ...(figures.honest.status === 200 ? [] : [`An honest reader got ${figures.honest.status}`]),
    ],
  }
}
