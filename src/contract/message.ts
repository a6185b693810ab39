import { z } from 'zod'

export const messageSchema = z
  .object({
    code: z.string().meta({ description: 'Which sentence it is; `verbatim` has its text as a value.' }),
    values: z.record(z.string(), z.union([z.string(), z.number()])).meta({ description: 'What the sentence names.' }),
  })
  .meta({ id: 'Message', description: 'A sentence, for front ends in other languages.' })
export type Message = z.output<typeof messageSchema>
