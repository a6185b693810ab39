import { countStatuses, readStatus } from './count-statuses.ts'
import { ask } from './expensive-questions.ts'
import { floodBounds } from './flood-bounds.ts'
import { checkBound, checkServed, type FloodOptions, type FloodOutcome } from './flood-scenario.ts'
import { messagePath, searchPath, startFloodTarget } from './flood-target.ts'
import { networkAddress } from './network-address.ts'

const requests = 10_000
const atOnce = 32
/** What a key may be used for in a month, and an organization in an hour, by default. */
const keyPerMonth = 10_000
const organizationPerHour = 10_000

const question = ask('What does an assistant key do?')
const query = { query: 'assistant key' }

/** Asks fast from one IPv6 prefix, which is one visitor, and searches fast from another; then a third asks and searches once. */
export async function floodShare({ checkout }: FloodOptions): Promise<FloodOutcome> {
  const target = await startFloodTarget({ checkout })
  try {
    const answers = await countStatuses(
      requests,
      (index) => target.post(messagePath, question, `2001:db8:1:2::${hex(index)}`),
      atOnce,
    )
    const searches = await countStatuses(
      requests,
      (index) => target.post(searchPath, query, `2001:db8:1:3::${hex(index)}`),
      atOnce,
    )
    const other = networkAddress(0)
    const otherAnswer = await readStatus(target.post(messagePath, question, other))
    const otherSearch = await readStatus(target.post(searchPath, query, other))
    const shareOfKey = (answers[200] ?? 0) / keyPerMonth
    const shareOfHour = (searches[200] ?? 0) / organizationPerHour
    return {
      figures: { answers, searches, shareOfKey, shareOfHour, otherAnswer, otherSearch },
      faults: [
        ...checkBound("share of the key's month", shareOfKey, floodBounds.keyShare),
        ...checkServed('Another network', [otherAnswer, otherSearch]),
      ],
    }
  } finally {
    await target.remove()
  }
}

function hex(index: number): string {
  return (index + 1).toString(16)
}
