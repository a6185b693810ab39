import { z } from 'zod'

export const stopResultSchema = z
  .object({
    stopped: z.boolean().meta({ description: 'Whether a running answer was stopped that this client may stop.' }),
  })
  .meta({ id: 'StopResult' })
