import { DocentError } from '../../../packages/docent-client/src/docent-error.ts'
import type { ErrorCode } from '../../../src/contract/error-codes.ts'
import type { PanelContext } from './panel-context.ts'

/** Refusals that readers can do something about. */
const known: Partial<Record<ErrorCode | 'unreachable', 'unreachable' | 'tooManyQuestions' | 'questionTooLong'>> = {
  unreachable: 'unreachable',
  limit_reached: 'tooManyQuestions',
  overloaded: 'tooManyQuestions',
  question_too_long: 'questionTooLong',
}

/**
 * Why something failed, as a sentence for readers. The service's own sentences are in English.
 *
 * @param other For failures other than refusals, such as a lost connection.
 */
export function describeFault(
  { say, language }: Pick<PanelContext, 'say' | 'language'>,
  error: unknown,
  other: 'connectionLost' | 'searchFailed',
): string {
  if (!(error instanceof DocentError)) return say(other)
  const { code, status, retryAfterSeconds } = error
  if (code === 'unreachable' && !navigator.onLine) return say('offline')
  if (code === 'limit_reached' && retryAfterSeconds !== null)
    return say('tryAgainWhen', { when: describeWait(language, retryAfterSeconds) })
  // The key or the page's origin is wrong.
  if (status === 401 || status === 403) {
    // eslint-disable-next-line no-console -- Only the owner of the page can do something about it, and looks nowhere else.
    console.warn(error)
    return say('unavailable')
  }
  // A code that is not in the table is looked up in vain.
  return language === 'en' ? error.message : say(known[code as ErrorCode] ?? 'unavailable')
}

/** Such as "in 5 minutes". */
function describeWait(language: string, seconds: number): string {
  const format = new Intl.RelativeTimeFormat(language)
  if (seconds < 90) return format.format(seconds, 'second')
  if (seconds < 90 * 60) return format.format(Math.ceil(seconds / 60), 'minute')
  return format.format(Math.ceil(seconds / 3_600), 'hour')
}
