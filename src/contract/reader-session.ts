import { z } from 'zod'

/** The body of `POST /discovery/v2/session/{domain}`: nothing to begin with, then the solution of the puzzle. */
export const readerSessionRequestSchema = z
  .object({
    challenge: z.string().max(1_000).nullish().meta({ description: 'The puzzle, as it came.' }),
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
      .meta({ description: 'To be sent in `X-Docent-Session`; null while a puzzle is to be solved.' }),
    expiresAt: z.iso.datetime().meta({ description: 'Of the session or of the puzzle.' }),
    puzzle: z
      .object({
        algorithm: z.literal('sha-256'),
        challenge: z.string(),
        bits: z.number().int().meta({ description: 'Zero bits that the hash begins with. Each doubles the work.' }),
      })
      .nullable(),
  })
  .meta({ id: 'ReaderSession' })
