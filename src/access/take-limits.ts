import type { Clock } from '../base/clock.ts'
import { AppError } from '../contract/app-error.ts'
import {
  addCounts,
  giveBackLimits,
  type LimitTake,
  takeLimits as takeCounters,
  type TakeResult,
} from '../store/counters.ts'
import type { Store } from '../store/store.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { type LimitWindow, windowBounds, windowSeconds } from './limit-windows.ts'
import { isOutage, type OutageCounts } from './outage-counts.ts'

/** A limit and the one whose use is counted. */
export interface Limit {
  /** Names the limit in the `RateLimit` headers. */
  name: string
  /** Whose use it is: a key, an organization, an address. */
  subject: string
  window: LimitWindow
  max: number
  /** Told how often it was used in this window, this use included, when it was taken. */
  onCount?: (count: number) => void
  /** Left out of the headers: it counts and refuses nobody. */
  isHidden?: boolean
  /** Completes the sentence "… has used its 10,000 requests of this hour". */
  whose: string
}

export interface LimitDeps {
  store: Store
  clock: Clock
  telemetry?: Telemetry
}

/** Counts on while the database does not answer: for what costs nothing and is served all the same. */
export interface OutageLimitDeps extends LimitDeps {
  outageCounts: OutageCounts
}

/** The response headers that tell a client where it stands. */
export type RateLimitHeaders = Readonly<Record<'RateLimit' | 'RateLimit-Policy', string>>

/**
 * Counts one use against every limit, or against none of them when one is used up.
 *
 * @param db The transaction that writes what is counted; without it, on a connection of its own.
 * @returns The headers of an allowed request.
 * @throws {AppError} `limit_reached`, with `Retry-After` and the headers naming the limit that was hit.
 * @see draft-ietf-httpapi-ratelimit-headers for the syntax of the headers.
 */
export function takeLimits(
  deps: LimitDeps,
  limits: readonly Limit[],
  db?: Store['relaxed'],
): Promise<RateLimitHeaders> {
  return takeWith(deps, limits, (wanted) => takeCounters(deps.store, wanted, db))
}

/** Does what was counted, and takes the count back as `giveBackUse` does when that fails. */
export async function runCounted<Result>(
  deps: LimitDeps,
  taken: RateLimitHeaders,
  signal: AbortSignal,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    await giveBackUse(deps, taken, signal)
    throw error
  }
}

/**
 * Takes back what was counted for a request that is refused after all, because such a request counts for nothing. Not
 * when the client has left, because its work was begun. Never rejects: without the database, the use stays counted.
 *
 * @param taken What `takeLimits` or `takeLimitsInOutage` returned.
 */
export async function giveBackUse({ store }: LimitDeps, taken: RateLimitHeaders, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await giveBackLimits(store.relaxed, takes.get(taken) ?? []).catch(() => undefined)
}

/** What was counted for the headers that tell of it. */
const takes = new WeakMap<RateLimitHeaders, readonly LimitTake[]>()

/**
 * As `takeLimits`, and goes on by the counts of this process while the database does not answer. What it has counted
 * meanwhile is added when the database is back, before anything else is let through.
 */
export function takeLimitsInOutage(deps: OutageLimitDeps, limits: readonly Limit[]): Promise<RateLimitHeaders> {
  return takeWith(deps, limits, async (wanted) => {
    try {
      await deps.outageCounts.settle((counts) => addCounts(deps.store.relaxed, counts))
      const result = await takeCounters(deps.store, wanted)
      for (const [index, { name, subject, windowStart }] of wanted.entries()) {
        deps.outageCounts.note(name, subject, { windowStart, used: result.counts[index] ?? 0 })
      }
      return result
    } catch (error) {
      if (!isOutage(error)) throw error
      return takeFromMemory(deps.outageCounts, wanted)
    }
  })
}

/** The first limit that is used up refuses; those before it keep the use, which errs on the safe side. */
function takeFromMemory(counts: OutageCounts, takes: readonly LimitTake[]): TakeResult {
  const taken: number[] = []
  for (const [refusedBy, take] of takes.entries()) {
    const count = counts.take(take.name, take.subject, take)
    if (count === null) return { taken: false, refusedBy, counts: takes.map(({ max }) => max) }
    taken.push(count)
  }
  return { taken: true, counts: taken }
}

async function takeWith(
  deps: LimitDeps,
  limits: readonly Limit[],
  take: (takes: readonly LimitTake[]) => Promise<TakeResult>,
): Promise<RateLimitHeaders> {
  const now = deps.clock.now()
  const windows = limits.map((limit) => windowBounds(limit.window, now))
  const wanted = limits.map((limit, index) => ({
    name: limit.name,
    subject: limit.subject,
    windowStart: windows[index]?.startsAt ?? now,
    max: limit.max,
  }))
  const result = await take(wanted)
  const resetSeconds = windows.map(({ endsAt }) => Math.max(1, Math.ceil((endsAt - now) / 1_000)))
  if (!result.taken) {
    const name = limits[result.refusedBy]?.name
    if (name !== undefined) deps.telemetry?.metrics.add('docent_limits_hit_total', { limit: name })
    throw limitReached(limits, result.refusedBy, resetSeconds)
  }
  for (const [index, limit] of limits.entries()) limit.onCount?.(result.counts[index] ?? 0)
  const headers = {
    RateLimit: limits
      .map((limit, index) =>
        limit.isHidden === true
          ? null
          : `"${limit.name}";r=${Math.max(0, limit.max - (result.counts[index] ?? 0))};t=${resetSeconds[index]}`,
      )
      .filter((text) => text !== null)
      .join(', '),
    'RateLimit-Policy': policies(limits),
  }
  takes.set(headers, wanted)
  return headers
}

function policies(limits: readonly Limit[]): string {
  const shown = limits.filter(({ isHidden }) => isHidden !== true)
  return shown.map((limit) => `"${limit.name}";q=${limit.max};w=${windowSeconds[limit.window]}`).join(', ')
}

function limitReached(limits: readonly Limit[], hit: number, resetSeconds: readonly number[]): AppError {
  const limit = limits[hit]
  const seconds = resetSeconds[hit]
  if (limit === undefined || seconds === undefined)
    throw new Error(`The store refused limit ${hit}, which was not asked for.`)
  return new AppError(
    'limit_reached',
    `${limit.whose} has used its ${limit.max.toLocaleString('en')} requests of this ${limit.window}. Try again in ${describeWait(seconds)}.`,
    {
      headers: {
        'Retry-After': String(seconds),
        RateLimit: `"${limit.name}";r=0;t=${seconds}`,
        'RateLimit-Policy': policies(limits),
      },
    },
  )
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
