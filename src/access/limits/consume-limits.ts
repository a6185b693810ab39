import { AppError } from '../../contract/app-error.ts'
import {
  addCounts,
  returnLimits,
  type LimitTake,
  consumeLimits as consumeCounters,
  type TakeResult,
} from '../../store/counts/counters.ts'
import type { Store } from '../../store/store.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'
import { type LimitWindow, windowBounds, windowSeconds } from './limit-windows.ts'
import { isOutage, type OutageCounts } from './outage-counts.ts'

/** A limit and the subject it applies to. */
export interface Limit {
  /** Name of the limit in the `RateLimit` headers. */
  name: string
  /** Whose use is counted: a key, an organization or a network. */
  subject: string
  window: LimitWindow
  max: number
  /** Omitted from the headers: it only counts and never refuses. */
  isHidden?: boolean
  /** Completes the sentence "… has used its 10,000 requests of this hour". */
  whose: string
  /**
   * A lower limit for this request, which the client can raise. Up to `max`, `refuse` makes the error that says how.
   */
  until?: { max: number; refuse(headers: Readonly<Record<string, string>>): AppError }
}

export interface LimitDeps extends StoreDeps {
  telemetry?: Telemetry
  /** Receives the counts; absent if nothing is refused early. */
  outageCounts?: OutageCounts
}

/** For requests that are refused before any work is done, or served without the database. */
export interface KnownLimitDeps extends LimitDeps {
  outageCounts: OutageCounts
}

/** Response headers that tell a client how much it has left. */
export type RateLimitHeaders = Readonly<Record<'RateLimit' | 'RateLimit-Policy', string>>

/**
 * Counts one use against every limit, or against none if one is exhausted.
 *
 * @param db Transaction that writes the counted work; if absent, counts on a separate connection.
 * @returns The headers of an allowed request.
 * @throws {AppError} `limit_reached`, with `Retry-After` and the headers naming the exhausted limit; if several are
 *   exhausted, the one that resets last, because no request succeeds before then.
 * @see draft-ietf-httpapi-ratelimit-headers for the syntax of the headers.
 */
export function consumeLimits(
  deps: LimitDeps,
  limits: readonly Limit[],
  db?: Store['relaxed'],
): Promise<RateLimitHeaders> {
  return takeWith(deps, limits, (wanted) => consumeCounters(deps.store, wanted, db))
}

/** Runs the counted work and refunds the count if it fails, as `returnUse` does. */
export async function runCounted<Result>(
  deps: LimitDeps,
  taken: RateLimitHeaders,
  signal: AbortSignal,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    await returnUse(deps, taken, signal)
    throw error
  }
}

/**
 * Refunds the count of a request that is refused after all, because refused requests do not count. Keeps it if the
 * client has disconnected, because work had begun. Never rejects: without the database, the use stays counted.
 *
 * @param taken Returned by `consumeLimits` or `consumeLimitsInOutage`.
 */
export async function returnUse(
  { store, outageCounts }: LimitDeps,
  taken: RateLimitHeaders,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return
  const counted = takes.get(taken) ?? []
  await returnLimits(store.relaxed, counted).then(
    () => outageCounts?.forget(counted),
    () => undefined,
  )
}

/** What was counted for each set of headers. */
const takes = new WeakMap<RateLimitHeaders, readonly LimitTake[]>()

/**
 * Like `consumeLimits`, but counts in this process while the database is unreachable. Those counts are added to the
 * database once it is back, before any further request is allowed.
 */
export function consumeLimitsInOutage(deps: KnownLimitDeps, limits: readonly Limit[]): Promise<RateLimitHeaders> {
  return takeWith(deps, limits, async (wanted) => {
    try {
      await writeOutageCounts(deps)
      return await consumeCounters(deps.store, wanted)
    } catch (error) {
      if (!isOutage(error)) throw error
      return deps.outageCounts.take(wanted)
    }
  })
}

/**
 * Adds the counts made during an outage to the database, if there are any.
 *
 * @throws {AppError} `database_unavailable`; the next call retries.
 */
export function writeOutageCounts({ store, outageCounts }: KnownLimitDeps): Promise<void> {
  return outageCounts.settle((counts) => addCounts(store.relaxed, counts))
}

/**
 * Refuses a request before any work is done if this process already knows that a limit is exhausted. Counts nothing, so
 * the limits must still be consumed.
 *
 * @throws {AppError} as `consumeLimits` does.
 */
export function refuseUsedUp(deps: KnownLimitDeps, limits: readonly Limit[]): void {
  const takes = openWindows(deps, limits)
  const counts = takes.map((take) => deps.outageCounts.find(take))
  const hit = findLongest(takes, counts)
  if (hit !== null) throw refusal(deps, { limits, takes, hit, used: counts[hit] ?? 0 })
}

/** A limit in its current window. */
interface OpenTake extends LimitTake {
  secondsLeft: number
  endsAt: number
}

function openWindows({ clock }: LimitDeps, limits: readonly Limit[]): OpenTake[] {
  const now = clock.now()
  return limits.map((limit) => {
    const { startsAt, endsAt } = windowBounds(limit.window, now)
    const secondsLeft = Math.max(1, Math.ceil((endsAt - now) / 1_000))
    const { name, subject } = limit
    return { name, subject, max: boundOf(limit), windowStart: startsAt, endsAt, secondsLeft }
  })
}

function boundOf({ max, until }: Limit): number {
  return until?.max ?? max
}

/** Index of the exhausted limit whose window ends last; null if none is exhausted. */
function findLongest(takes: readonly OpenTake[], counts: readonly number[]): number | null {
  const usedUp = [...takes.keys()].filter((index) => (counts[index] ?? 0) >= (takes[index]?.max ?? 0))
  const endOf = (index: number) => takes[index]?.endsAt ?? 0
  return usedUp.reduce<number | null>(
    (longest, index) => (longest === null || endOf(index) > endOf(longest) ? index : longest),
    null,
  )
}

async function takeWith(
  deps: LimitDeps,
  limits: readonly Limit[],
  take: (takes: readonly LimitTake[]) => Promise<TakeResult>,
): Promise<RateLimitHeaders> {
  const wanted = openWindows(deps, limits)
  const result = await take(wanted)
  for (const [index, { name, subject, windowStart }] of wanted.entries()) {
    deps.outageCounts?.note(name, subject, { windowStart, used: result.counts[index] ?? 0 })
  }
  if (!result.taken) {
    const hit = findLongest(wanted, result.counts) ?? result.refusedBy
    throw refusal(deps, { limits, takes: wanted, hit, used: result.counts[hit] ?? 0 })
  }
  const states = limits.flatMap((limit, index) => {
    const left = Math.max(0, boundOf(limit) - (result.counts[index] ?? 0))
    return limit.isHidden === true ? [] : [`"${limit.name}";r=${left};t=${wanted[index]?.secondsLeft ?? 1}`]
  })
  const headers = { RateLimit: states.join(', '), 'RateLimit-Policy': policies(limits) }
  takes.set(headers, wanted)
  return headers
}

/** @param full The limit that was exhausted at its `max`. */
function policies(limits: readonly Limit[], full?: Limit): string {
  const shown = limits.filter(({ isHidden }) => isHidden !== true)
  const quotaOf = (limit: Limit) => (limit === full ? limit.max : boundOf(limit))
  return shown.map((limit) => `"${limit.name}";q=${quotaOf(limit)};w=${windowSeconds[limit.window]}`).join(', ')
}

interface Hit {
  limits: readonly Limit[]
  takes: readonly OpenTake[]
  /** Index of the exhausted limit. */
  hit: number
  used: number
}

function refusal({ telemetry }: LimitDeps, { limits, takes, hit, used }: Hit): AppError {
  const limit = limits[hit]
  const seconds = takes[hit]?.secondsLeft
  if (limit === undefined || seconds === undefined)
    throw new Error(`The store refused limit ${hit}, which was not asked for.`)
  telemetry?.metrics.add('docent_limits_hit_total', { limit: limit.name })
  const until = used < limit.max ? limit.until : undefined
  const headers = {
    'Retry-After': String(seconds),
    RateLimit: `"${limit.name}";r=0;t=${seconds}`,
    'RateLimit-Policy': policies(limits, until === undefined ? limit : undefined),
  }
  if (until !== undefined) return until.refuse(headers)
  const message = `${limit.whose} has used its ${limit.max.toLocaleString('en')} requests of this ${limit.window}. Try again in ${describeWait(seconds)}.`
  return new AppError('limit_reached', message, { headers })
}

function describeWait(seconds: number): string {
  const [amount, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7_200
        ? [Math.ceil(seconds / 60), 'minute']
        : seconds < 172_800
          ? [Math.ceil(seconds / 3_600), 'hour']
          : [Math.ceil(seconds / 86_400), 'day']
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}
