import { hourMs } from '../base/durations.ts'
import { MailError } from '../hand-overs/send-mail.ts'
import { chooseRetryWait, describeFailure, type RetryPolicy } from './retry-wait.ts'

/** Retries span about a day in total. */
const retryPolicy: RetryPolicy = { waitMsMin: 15_000, waitMsMax: 4 * hourMs, attemptsMax: 16 }

/** Delay in milliseconds before a message is sent again; null if retrying is pointless. */
export function chooseMailRetry(error: unknown, attempt: number): number | null {
  const isRefused = error instanceof MailError && !error.isPassing
  return isRefused ? null : chooseRetryWait(error, attempt, retryPolicy)
}

export function describeMailFailure(error: unknown): string {
  return error instanceof MailError ? error.message : describeFailure(error)
}
