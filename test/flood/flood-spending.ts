import { setTimeout as wait } from 'node:timers/promises'
import { countStatuses } from './count-statuses.ts'
import { expensiveQuestions } from './expensive-questions.ts'
import { floodBounds } from './flood-bounds.ts'
import { checkBound, type FloodOptions, type FloodOutcome } from './flood-scenario.ts'
import { messagePath, startFloodTarget } from './flood-target.ts'
import { networkAddress } from './network-address.ts'
import { startPricedProvider } from './priced-provider.ts'

const questions = 60
const questionBytes = 1_900_000
/** About what a model takes. */
const answersAfterMs = 5_000

/** Asks expensive questions at the same time, each from another network, and reads the bill of the provider. */
export async function floodSpending(options: FloodOptions): Promise<FloodOutcome> {
  const outcome: FloodOutcome = { figures: {}, faults: [] }
  for (const [shape, makeBody] of Object.entries(expensiveQuestions)) {
    const { statuses, requests, spentUsd } = await spend(JSON.stringify(makeBody(questionBytes)), options)
    outcome.figures[shape] = { spentUsd: Number(spentUsd.toFixed(4)), reachedProvider: requests, statuses }
    outcome.faults.push(...checkBound(`US dollars spent by ${shape}`, spentUsd, floodBounds.spentUsd))
    // A server that answers nobody spends nothing either.
    if (requests === 0 && statuses[200] === undefined && statuses[400] === undefined)
      outcome.faults.push(`${shape}: nobody was answered`)
  }
  return outcome
}

async function spend(body: string, { checkout }: FloodOptions) {
  const provider = await startPricedProvider(() => wait(answersAfterMs))
  const env = { ...provider.env, DOCENT_SITE_COST_PER_DAY: String(floodBounds.spentUsd) }
  const target = await startFloodTarget({ checkout, env })
  try {
    const statuses = await countStatuses(questions, (index) => target.post(messagePath, body, networkAddress(index)))
    return { statuses, ...provider.bill() }
  } finally {
    await target.remove()
    await provider.close()
  }
}
