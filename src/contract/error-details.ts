import './validation-messages.ts'
import type { z } from 'zod'
import type { ErrorDetail } from './app-error.ts'
import { cutText } from './cut-text.ts'

/** Listing more would not help, and a body may have thousands. */
const detailsMax = 50
const pathCharsMax = 300
const messageCharsMax = 500

/** The first faults found by zod, as error bodies list them: `messages.0.role`; an empty path is the body itself. */
export function readErrorDetails({ issues }: Pick<z.ZodError, 'issues'>): ErrorDetail[] {
  return issues.slice(0, detailsMax).map(({ path, message }) => ({
    // Record keys come from clients, and some messages quote them.
    path: cutText(path.map(String).join('.'), pathCharsMax),
    message: cutText(message, messageCharsMax),
  }))
}
