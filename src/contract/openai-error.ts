import { z } from 'zod'
import type { ErrorBody } from './error-body.ts'

/** The body of an error on the paths of OpenAI's API, whose clients read no other. */
export const openAiErrorSchema = z
  .object({
    error: z.object({
      message: z.string().meta({ description: 'A sentence that says what to do.' }),
      type: z.string().meta({ description: 'Kind of error, such as `invalid_request_error`.' }),
      param: z.string().nullable().meta({ description: 'The first invalid value, such as `messages.0.role`.' }),
      code: z.string().meta({ description: 'Stable code for programs to branch on.' }),
    }),
  })
  .meta({ id: 'OpenAiError', description: 'The body of every error response on the paths of OpenAI’s API.' })

export type OpenAiError = z.output<typeof openAiErrorSchema>

const openAiPaths = /^\/v1\/(?:chat\/completions|models)(?:\/|$)/

/** Whether errors at a path have the form that OpenAI's clients read. */
export function isOpenAiPath(path: string): boolean {
  return openAiPaths.test(path)
}

export function toOpenAiError({ message, code, details }: ErrorBody, status: number): OpenAiError {
  return { error: { message, type: nameType(status), param: details?.[0]?.path || null, code } }
}

function nameType(status: number): string {
  if (status >= 500) return 'server_error'
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 404) return 'not_found_error'
  return status === 429 ? 'rate_limit_error' : 'invalid_request_error'
}
