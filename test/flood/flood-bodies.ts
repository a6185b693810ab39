import { setTimeout as wait } from 'node:timers/promises'
import { readStatus, type StatusCounts } from './count-statuses.ts'
import { floodBounds } from './flood-bounds.ts'
import { checkBound, type FloodOptions, type FloodOutcome } from './flood-scenario.ts'
import { type FloodTarget, messagePath, startFloodTarget } from './flood-target.ts'
import { hostileBodies } from './hostile-bodies.ts'
import { networkAddress } from './network-address.ts'
import { watchHealth } from './watch-health.ts'

const connections = 4
const bodyBytes = 4_000_000
/** For each kind of body, and for the server at rest. */
const watchedMs = 3_000

/** Sends hostile bodies on a few connections, and looks at how the others fare. */
export async function floodBodies({ checkout }: FloodOptions): Promise<FloodOutcome> {
  const target = await startFloodTarget({ checkout })
  try {
    const quiet = watchHealth(target.url)
    await wait(watchedMs)
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

/** One kind of body after the other, so that a long turn can be told by the body that made it. */
async function sendBodies(target: FloodTarget) {
  const statuses: Record<string, StatusCounts> = {}
  const gapsByBody: Record<string, { cpuMs: number; wallMs: number }> = {}
  let network = 0
  for (const [name, makeBody] of Object.entries(hostileBodies)) {
    const body = makeBody(bodyBytes)
    const endsAt = performance.now() + watchedMs
    const counts: StatusCounts = {}
    const send = async () => {
      do {
        const status = await readStatus(target.post(messagePath, body, networkAddress(network++)))
        counts[status] = (counts[status] ?? 0) + 1
      } while (performance.now() < endsAt)
    }
    await Promise.all(Array.from({ length: connections }, send))
    statuses[name] = counts
    const { cpuMs, wallMs } = await target.readGaps()
    gapsByBody[name] = { cpuMs: Math.round(cpuMs), wallMs: Math.round(wallMs) }
  }
  return { statuses, gapsByBody }
}
