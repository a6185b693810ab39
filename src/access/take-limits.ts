import type { Clock } from '../base/clock.ts'
import { AppError } from '../contract/app-error.ts'
import { takeLimits as takeCounters } from '../store/counters.ts'
import type { Store } from '../store/store.ts'
import { type LimitWindow, windowBounds, windowSeconds } from './limit-windows.ts'

/** A limit and the one whose use is counted. */
export interface Limit {
  /** Names the limit in the `RateLimit` headers. */
  name: string
  /** Whose use it is: a key, an organization, an address. */
  subject: string
  window: LimitWindow
  max: number
  /** Completes the sentence "… has used its 10,000 requests of this hour". */
  whose: string
}

export interface LimitDeps {
  store: Store
  clock: Clock
}

/** The response headers that tell a client where it stands. */
export type RateLimitHeaders = Readonly<Record<'RateLimit' | 'RateLimit-Policy', string>>

/**
 * Counts one use against every limit, or against none of them when one is used up.
 *
 * @returns The headers of an allowed request.
 * @throws {AppError} `limit_reached`, with `Retry-After` and the headers naming the limit that was hit.
 * @see draft-ietf-httpapi-ratelimit-headers for the syntax of the headers.
 */
export async function takeLimits(deps: LimitDeps, limits: readonly Limit[]): Promise<RateLimitHeaders> {
  const now = deps.clock.now()
  const windows = limits.map((limit) => windowBounds(limit.window, now))
  const result = await takeCounters(
    deps.store,
    limits.map((limit, index) => ({
      name: limit.name,
      subject: limit.subject,
      windowStart: windows[index]?.startsAt ?? now,
      max: limit.max,
    })),
  )
  const resetSeconds = windows.map(({ endsAt }) => Math.max(1, Math.ceil((endsAt - now) / 1_000)))
  if (!result.taken) throw limitReached(limits, result.refusedBy, resetSeconds)
  return {
    RateLimit: limits
      .map(
        (limit, index) =>
          `"${limit.name}";r=${Math.max(0, limit.max - (result.counts[index] ?? 0))};t=${resetSeconds[index]}`,
      )
      .join(', '),
    'RateLimit-Policy': policies(limits),
  }
}

function policies(limits: readonly Limit[]): string {
  return limits.map((limit) => `"${limit.name}";q=${limit.max};w=${windowSeconds[limit.window]}`).join(', ')
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
