import { addressPrefix } from '../access/address-prefix.ts'
import type { ReaderSession } from '../access/reader-sessions.ts'
import { type Limit, type RateLimitHeaders, takeLimits, takeLimitsInOutage } from '../access/take-limits.ts'
import type { ApiKey } from '../store/keys.ts'
import type { ServerParts } from './server-parts.ts'

/** Questions of one session: a long conversation. Who has more to ask gets another. */
const sessionMax = 60

/** A limit that counts and never refuses. */
const countsOnly = Number.MAX_SAFE_INTEGER

/** Who asks, as far as limits tell them apart. */
export interface LimitedAsker {
  address: string
  /** Null where the key asks for none. */
  session: ReaderSession | null
}

/**
 * Counts an answer against its key, its organization, its client's address and network, and its session, in one
 * statement.
 *
 * @throws {AppError} `limit_reached`.
 */
export function takeAssistantLimits(
  parts: ServerParts,
  key: ApiKey,
  { address, session }: LimitedAsker,
): Promise<RateLimitHeaders> {
  const { keyPerMonth, organizationPerHour, addressPerDay } = parts.limits
  const limits: Limit[] = [
    { name: 'key', subject: key.id, window: 'month', max: keyPerMonth, whose: 'This key' },
    { name: 'org', subject: key.organizationId, window: 'hour', max: organizationPerHour, whose: 'This organization' },
    { name: 'ip', subject: address, window: 'day', max: addressPerDay, whose: `The address ${address}` },
    ...networkLimits(parts, address),
  ]
  if (session !== null) {
    limits.push({ name: 'session', subject: session.id, window: 'hour', max: sessionMax, whose: 'This session' })
  }
  if (key.session !== 'off') {
    const onCount = (count: number) => parts.pressure.noteCounted(key.id, count)
    const whose = 'This key'
    limits.push({
      name: 'key-minute',
      subject: key.id,
      window: 'minute',
      max: countsOnly,
      whose,
      onCount,
      isHidden: true,
    })
  }
  return takeLimits(parts, limits)
}

/** Those that the operator has set. */
function networkLimits({ limits: { prefixPerMinute, prefixPerDay } }: ServerParts, address: string): Limit[] {
  const subject = addressPrefix(address)
  const whose = `The network ${subject}`
  const windows = [
    { name: 'net-minute', window: 'minute', max: prefixPerMinute },
    { name: 'net', window: 'day', max: prefixPerDay },
  ] as const
  return windows.filter(({ max }) => max > 0).map((limit) => ({ ...limit, subject, whose }))
}

/** Counts feedback against its organization, apart from searches. @throws {AppError} `limit_reached`. */
export function takeFeedbackLimit(parts: ServerParts, key: ApiKey): Promise<RateLimitHeaders> {
  const max = parts.limits.searchPerHour
  return takeLimits(parts, [
    { name: 'feedback', subject: key.organizationId, window: 'hour', max, whose: 'This organization' },
  ])
}

/** Counts a search or a page against its organization, also while the database does not answer. @throws {AppError} `limit_reached`. */
export function takeSearchLimit(parts: ServerParts, key: ApiKey): Promise<RateLimitHeaders> {
  const max = parts.limits.searchPerHour
  return takeLimitsInOutage(parts, [
    { name: 'search', subject: key.organizationId, window: 'hour', max, whose: 'This organization' },
  ])
}
