import type { Clock } from '../../src/base/clock.ts'
import { dayMs } from '../../src/base/durations.ts'

/** Today's noon, UTC: a test that starts here does not cross into another hour, day or month. */
export const noon = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2

const aheadMs = noon - Date.now()

/** Runs on from noon, for tests with time limits. Minutes do change. */
export const noonClock: Clock = { now: () => Date.now() + aheadMs }
