import { z } from 'zod'

export const stopResultSchema = z
  .object({
    stopped: z.boolean().meta({ description: 'Whether an answer was running that this client may stop.' }),
  })
  .meta({ id: 'StopResult' })
