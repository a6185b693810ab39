import { z } from 'zod'
import { finishReasons } from './answer-event.ts'
import { answerVerdicts } from './verdicts.ts'

/** `messageMetadata` of an answer. `start` carries only `threadId`; the rest comes with `finish`. Fields are only ever added. */
export const answerMetadataSchema = z.object({
  threadId: z.string().meta({ description: 'Send it with the next question to continue the thread.' }),
  model: z.string().nullable().optional().meta({ description: 'The model that answered, as `provider/model`.' }),
  modelReason: z
    .enum(['daily-cost-reached', 'answer-cost-reached'])
    .optional()
    .meta({ description: 'Why a model other than the configured one answered.' }),
  answered: z.boolean().optional().meta({ description: 'False if the documentation does not answer the question.' }),
  verdict: z.enum(answerVerdicts).optional().meta({ description: 'How well the documentation supports the answer.' }),
  verdictReasons: z.array(z.string()).optional(),
  finishReason: z
    .enum(finishReasons)
    .optional()
    .meta({ description: '`length` and `content-filter` mean that the answer was cut off.' }),
  usage: z
    .object({ inputTokens: z.int(), outputTokens: z.int() })
    .optional()
    .meta({ description: 'Tokens of all model calls of the answer.' }),
  citations: z
    .array(z.object({ number: z.string(), url: z.string(), title: z.string() }))
    .optional()
    .meta({ description: 'Sections that the answer cites, by number.' }),
  commit: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Commit that the site was built from; null if it was not built from a repository.' }),
  version: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Version of the documentation that the answer is based on.' }),
})

/** What is known once an answer is finished, without its thread. */
export type FinishedMetadata = Omit<z.output<typeof answerMetadataSchema>, 'threadId'>
