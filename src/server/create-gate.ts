import { FairGate, type FairGateOptions } from '../base/fair-gate.ts'
import { AppError } from '../contract/app-error.ts'

const retryAfterSeconds = 5

export interface GateOptions extends Omit<FairGateOptions, 'refuse'> {
  /** Completes the sentence "Too many … at the moment". */
  what: string
}

/** A gate of the HTTP edge: who is refused is told so with 503 and when to come back. */
export function createGate({ what, ...options }: GateOptions): FairGate {
  const message = `Too many ${what} at the moment. Try again in ${retryAfterSeconds} seconds.`
  const headers = { 'Retry-After': String(retryAfterSeconds) }
  return new FairGate({ ...options, refuse: () => new AppError('overloaded', message, { headers }) })
}

/** An answer that starts later than this is of no use to who asked. */
const answerWaitMsMax = 2_000

/** Of the answers at once, what one site may have: the rest stays for the others, however long its answers run. */
const siteShare = 0.75

/** The gate of answers, with a place for each site. @param answersAtOnce See `DOCENT_ANSWERS_AT_ONCE`. */
export function createAnswerGate(answersAtOnce: number): FairGate {
  return createGate({
    what: 'questions are answered',
    runningMax: answersAtOnce,
    runningPerSubjectMax: Math.ceil(answersAtOnce * siteShare),
    waitingMax: answersAtOnce,
    waitMsMax: answerWaitMsMax,
  })
}
