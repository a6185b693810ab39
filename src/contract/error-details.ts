import type { z } from 'zod'
import type { ErrorDetail } from './app-error.ts'

/** The faults that zod found, as error bodies list them: `messages.0.role`; an empty path is the body itself. */
export function readErrorDetails(error: z.ZodError): ErrorDetail[] {
  return error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
}
