import { AppError } from '../contract/app-error.ts'

/** A chat platform refused a call or could not be reached. */
export class BotApiError extends AppError {
  /** Whether the same call may succeed later without any change. */
  readonly isPassing: boolean
  /** Wait requested by the platform; null if it names none. */
  readonly retryAfterMs: number | null

  constructor(
    message: string,
    { isPassing, retryAfterMs = null, cause }: { isPassing: boolean; retryAfterMs?: number | null; cause?: unknown },
  ) {
    super(isPassing ? 'chat_unavailable' : 'chat_refused', message, { cause })
    this.isPassing = isPassing
    this.retryAfterMs = retryAfterMs
  }
}
