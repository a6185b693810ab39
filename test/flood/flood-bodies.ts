import { countStatuses } from './count-statuses.ts'
import { floodBounds } from './flood-bounds.ts'
import { checkBound, type FloodOptions, type FloodOutcome } from './flood-scenario.ts'
import { type FloodTarget, messagePath, startFloodTarget } from './flood-target.ts'
import { hostileBodies } from './hostile-bodies.ts'
import { networkAddress } from './network-address.ts'
import { watchHealth } from './watch-health.ts'

const connections = 4
const rounds = 2
const bodyBytes = 4_000_000
const quietRequests = 200

/** Sends hostile bodies on a few connections, and looks at how the others fare. */
export async function floodBodies({ checkout }: FloodOptions): Promise<FloodOutcome> {
  const target = await startFloodTarget({ checkout })
  try {
    const quiet = watchHealth(target.url)
    await countStatuses(quietRequests, () => fetch(`${target.url}/readyz`), 1)
    const quietHealth = await quiet.stop()
    await target.readGaps()
    const observer = watchHealth(target.url)
    const { statuses, gapsByBody } = await sendBodies(target)
    const health = await observer.stop()
    const longestGapMs = Math.max(...Object.values(gapsByBody).map(({ cpuMs }) => cpuMs))
    return {
      figures: { statuses, quietHealth, health, longestGapMs, gapsByBody },
      faults: checkBound('longest turn of the event loop in ms', longestGapMs, floodBounds.eventLoopGapMs),
    }
  } finally {
    await target.remove()
  }
}

/** Each connection sends one kind of body for a while, so that a long turn can be told by the body that made it. */
async function sendBodies(target: FloodTarget) {
  const statuses: Record<string, Record<number, number>> = {}
  const gapsByBody: Record<string, { cpuMs: number; wallMs: number }> = {}
  let network = 0
  for (const [name, makeBody] of Object.entries(hostileBodies)) {
    const body = makeBody(bodyBytes)
    statuses[name] = await countStatuses(
      connections * rounds,
      () => target.post(messagePath, body, networkAddress(network++)),
      connections,
    )
    const { cpuMs, wallMs } = await target.readGaps()
    gapsByBody[name] = { cpuMs: Math.round(cpuMs), wallMs: Math.round(wallMs) }
  }
  return { statuses, gapsByBody }
}
