import { WorkThread } from '../../base/work-thread.ts'
import { AppError, type ErrorDetail } from '../../contract/app-error.ts'
import type { ErrorCode } from '../../contract/error-codes.ts'
import type { QuestionFormat, QuestionFormats } from '../../contract/question-formats.ts'

/** Several times what the largest parsed body needs. */
const memoryMbMax = 48
const readMsMax = 10_000
const idleMsMax = 10_000

export interface QuestionOrder {
  format: QuestionFormat
  bytes: Uint8Array<ArrayBuffer>
}

/** The outcome for a body, in a form that can cross threads. */
export type QuestionOutcome =
  | { question: QuestionFormats[QuestionFormat] }
  | { refusal: { code: ErrorCode; message: string; details: ErrorDetail[] | null } }

/**
 * Reads the assistant's large bodies in a separate thread, one at a time. Parsing them here would block everyone else,
 * and a burst would leave hundreds of megabytes of garbage; the results are small.
 */
export class QuestionThread {
  readonly #thread: WorkThread<QuestionOrder, QuestionOutcome>

  constructor() {
    const entry = new URL('./read-question-worker.ts', import.meta.url)
    const bounds = { memoryMbMax, msMax: readMsMax, idleMsMax }
    this.#thread = new WorkThread({ entry, what: 'Reading large bodies', ...bounds })
  }

  /**
   * @param order Its bytes are transferred. They must be within the bounds of `JsonScanner`.
   * @throws {AppError} as `readQuestion` and `parseJson` do; `overloaded` if it takes too long.
   */
  async read(order: QuestionOrder): Promise<QuestionFormats[QuestionFormat]> {
    const transfer = [order.bytes.buffer]
    const outcome = await this.#thread.run(order, new AbortController().signal, transfer).catch(refuse)
    if ('question' in outcome) return outcome.question
    const { code, message, details } = outcome.refusal
    throw new AppError(code, message, details === null ? {} : { details })
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

function refuse(cause: unknown): never {
  throw new AppError('overloaded', 'The body could not be read in time. Send fewer old messages, or try again.', {
    cause,
  })
}
