import { z } from 'zod'
import { errorCodes } from './error-codes.ts'

/** The body of every error response. */
export const errorBodySchema = z
  .object({
    error: z.string().meta({ description: 'A sentence that says what to do.' }),
    message: z.string().meta({ description: 'Same as `error`.' }),
    code: z.enum(errorCodes).meta({ description: 'Stable code for programs to branch on.' }),
    requestId: z.string().meta({ description: 'Also in the header `X-Request-Id` and in the log.' }),
    details: z
      .array(
        z.object({
          path: z.string().meta({ description: 'Where in the request, such as `messages.0.role`.' }),
          message: z.string(),
        }),
      )
      .optional()
      .meta({ description: 'The invalid values. Only with status 400.' }),
    suggestions: z
      .array(
        z.object({
          title: z.string(),
          url: z.string().meta({ description: 'Absolute address of the page.' }),
          markdownUrl: z.string().meta({ description: 'Absolute address of the page as Markdown.' }),
        }),
      )
      .optional()
      .meta({ description: 'At most five pages that the address may have meant, likeliest first.' }),
  })
  .meta({ id: 'Error', description: 'The body of every error response.' })

export type ErrorBody = z.output<typeof errorBodySchema>
