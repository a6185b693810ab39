import { BotApiError } from '../bots/bot-api-error.ts'
import { ForgeError } from '../codehost/forge/forge-error.ts'
import { AppError } from '../contract/app-error.ts'

export interface RetryPolicy {
  /** Doubles with each attempt, up to `waitMsMax`. */
  waitMsMin: number
  waitMsMax: number
  attemptsMax: number
}

/**
 * Delay before the next attempt in milliseconds; null if retrying is pointless.
 *
 * @param attempt Number of the failed attempt, from 1.
 */
export function chooseRetryWait(error: unknown, attempt: number, policy: RetryPolicy): number | null {
  if (isPermanent(error) || attempt >= policy.attemptsMax) return null
  const requested = isOutside(error) ? (error.retryAfterMs ?? 0) : 0
  return Math.max(requested, Math.min(policy.waitMsMax, policy.waitMsMin * 2 ** (attempt - 1)))
}

function isPermanent(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code === 'limit_reached') return false
  return isOutside(error) ? !error.isPassing : error.code !== 'database_unavailable'
}

/** A refusal of another service, which says whether it passes. */
function isOutside(error: unknown): error is ForgeError | BotApiError {
  return error instanceof ForgeError || error instanceof BotApiError
}

/** Public message of a failed attempt. */
export function describeFailure(error: unknown): string {
  return error instanceof AppError ? error.message : 'Something went wrong on our side. See the server log.'
}
