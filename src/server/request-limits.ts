import { type Limit, type RateLimitHeaders, takeLimits } from '../access/take-limits.ts'
import type { ApiKey } from '../store/keys.ts'
import type { ServerParts } from './server-parts.ts'

/** Counts an answer against its key, its organization and its client's address. @throws {AppError} `limit_reached`. */
export function takeAssistantLimits(parts: ServerParts, key: ApiKey, address: string): Promise<RateLimitHeaders> {
  const { keyPerMonth, organizationPerHour, addressPerDay } = parts.limits
  const limits: Limit[] = [
    { name: 'key', subject: key.id, window: 'month', max: keyPerMonth, whose: 'This key' },
    { name: 'org', subject: key.organizationId, window: 'hour', max: organizationPerHour, whose: 'This organization' },
    { name: 'ip', subject: address, window: 'day', max: addressPerDay, whose: `The address ${address}` },
  ]
  return takeLimits(parts, limits)
}

/** Counts feedback against its organization, apart from searches. @throws {AppError} `limit_reached`. */
export function takeFeedbackLimit(parts: ServerParts, key: ApiKey): Promise<RateLimitHeaders> {
  const max = parts.limits.searchPerHour
  return takeLimits(parts, [
    { name: 'feedback', subject: key.organizationId, window: 'hour', max, whose: 'This organization' },
  ])
}

/** Counts a job or a follow-up against its project. @throws {AppError} `limit_reached`. */
export function takeJobLimit(parts: ServerParts, projectId: string): Promise<RateLimitHeaders> {
  const max = parts.limits.jobsPerHour
  return takeLimits(parts, [{ name: 'jobs', subject: projectId, window: 'hour', max, whose: 'This project' }])
}

/** Counts a search or a page against its organization. @throws {AppError} `limit_reached`. */
export function takeSearchLimit(parts: ServerParts, key: ApiKey): Promise<RateLimitHeaders> {
  const max = parts.limits.searchPerHour
  return takeLimits(parts, [
    { name: 'search', subject: key.organizationId, window: 'hour', max, whose: 'This organization' },
  ])
}
