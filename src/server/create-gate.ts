import { FairGate, type FairGateOptions } from '../base/fair-gate.ts'
import { AppError } from '../contract/app-error.ts'
import { retryAfterSeconds } from './replies/error-response.ts'

export interface GateOptions extends Omit<FairGateOptions, 'refuse'> {
  /** Completes the sentence "Too many … at the moment". */
  what: string
}

/** Creates a concurrency gate for the HTTP edge. Excess requests get 503 with `Retry-After`. */
export function createGate({ what, ...options }: GateOptions): FairGate {
  const message = `Too many ${what} at the moment. Try again in ${retryAfterSeconds.unavailable} seconds.`
  return new FairGate({ ...options, refuse: () => new AppError('overloaded', message) })
}

/** An answer that starts later than this is of no use to the asker. */
export const answerWaitMsMax = 2_000

/** Share of concurrent answers that one site may use; the rest stays free for others, however long its answers run. */
const siteShare = 0.75

/**
 * Limits concurrent answers so that no single site can starve the others.
 *
 * @param answersAtOnce The setting `DOCENT_ANSWERS_AT_ONCE`.
 */
export function createAnswerGate(answersAtOnce: number): FairGate {
  return createGate({
    what: 'questions',
    runningMax: answersAtOnce,
    runningPerSubjectMax: Math.ceil(answersAtOnce * siteShare),
    waitingMax: answersAtOnce,
    waitMsMax: answerWaitMsMax,
  })
}
