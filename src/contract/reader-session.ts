import { z } from 'zod'
import { timestamp } from './timestamp.ts'

/** The body of `POST /discovery/v2/session/{domain}`: empty at first, then the solution of the puzzle. */
export const readerSessionRequestSchema = z
  .object({
    challenge: z.string().max(1_000).nullish().meta({ description: 'The `challenge` of the puzzle, unchanged.' }),
    nonce: z
      .string()
      .max(20)
      .nullish()
      .meta({ description: 'The SHA-256 of `challenge`, a colon and this begins with `bits` zero bits.' }),
  })
  .meta({ id: 'ReaderSessionRequest' })

export const readerSessionSchema = z
  .object({
    session: z
      .string()
      .nullable()
      .meta({ description: 'Send it in `X-Docent-Session`; null until the puzzle is solved.' }),
    expiresAt: timestamp().meta({ description: 'When the session or the puzzle expires.' }),
    puzzle: z
      .object({
        algorithm: z.literal('sha-256'),
        challenge: z.string(),
        bits: z.number().int().meta({ description: 'Required number of leading zero bits. Each doubles the work.' }),
      })
      .nullable(),
  })
  .meta({ id: 'ReaderSession' })
