import { z } from 'zod'
import { citationSchema } from './citations.ts'
import { timestamp } from './timestamp.ts'

/** Header with the key of a thread, for readers. */
export const threadKeySchema = z.object({
  'X-Thread-Key': z
    .string('must be sent: the key that came with the first answer of the thread')
    .min(1)
    .max(200)
    .meta({ description: 'The key of the thread: the header of the same name of its first answer.' }),
})

/** The public half of the key that receipts are signed with, as a JSON Web Key (RFC 8037). */
export const receiptKeySchema = z
  .object({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: z.string().meta({ description: 'The public key: 32 bytes, base64url.' }),
    kid: z.string().meta({ description: 'Thumbprint of the key (RFC 7638), base64url.' }),
    alg: z.literal('EdDSA'),
    use: z.literal('sig'),
  })
  .meta({ id: 'ReceiptKey' })

/**
 * A signed answer. `src/git/verify-receipt.mjs` knows the same fields; a change of them needs a new `format`, because
 * older verifiers reject fields that they do not know.
 */
export const receiptSchema = z
  .object({
    format: z.literal('docent-receipt-1'),
    covers: z.array(z.string()).meta({ description: 'Names of the signed fields, sorted: all but `signature`.' }),
    key: z.string().meta({ description: '`kid` of the key that signed it.' }),
    site: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
    threadId: z.string(),
    messageId: z.string(),
    answeredAt: timestamp(),
    question: z.string().meta({ description: 'As stored: without secrets and personal data, unless masking is off.' }),
    text: z.string().meta({ description: 'The answer, as stored.' }),
    citations: z.array(citationSchema),
    verdict: z.string().nullable(),
    model: z.string().nullable(),
    revision: z.string().nullable().meta({ description: 'Commit or digest of the files that the answer is based on.' }),
    commit: z.string().nullable().meta({ description: 'The same if it is a commit, else null.' }),
    version: z.string().nullable(),
    language: z.string().nullable(),
    signature: z
      .string()
      .meta({ description: 'Ed25519 signature of the canonical form (RFC 8785) of all other fields, base64url.' }),
  })
  .meta({ id: 'Receipt' })

const replayedTextSchema = z
  .object({
    text: z.string(),
    verdict: z.string().nullable(),
    isSame: z.boolean().meta({ description: 'Whether it is the stored answer, byte for byte.' }),
  })
  .meta({ id: 'ReplayedText' })

export const replaySchema = z
  .object({
    messageId: z.string(),
    question: z.string(),
    answer: z.string().meta({ description: 'As stored.' }),
    model: z.string().nullable(),
    revision: z.string().nullable(),
    isPromptSame: z.boolean().nullable().meta({
      description:
        'Whether instructions, question and passages are the same as originally. Null if the original index is gone.',
    }),
    again: replayedTextSchema.nullable().meta({
      description: 'From the original index. Null if it is gone, or if a model other than the offline one answered.',
    }),
    today: replayedTextSchema.nullable().meta({ description: 'What the offline model answers from today’s index.' }),
    missing: z.array(z.string()).meta({ description: 'What it was based on that is no longer stored, in sentences.' }),
  })
  .meta({ id: 'Replay' })

export type Replay = z.output<typeof replaySchema>
export type ReplayedText = z.output<typeof replayedTextSchema>
export type Receipt = z.output<typeof receiptSchema>
export type UnsignedReceipt = Omit<Receipt, 'format' | 'covers' | 'key' | 'signature'>
