import { z } from 'zod'

/** What jobs of this installation run with. */
export const agentOptionsSchema = z
  .object({
    model: z.string().meta({ description: 'What a job uses that names no model.' }),
    models: z.array(z.string()).meta({ description: 'What a job may name.' }),
    isOffline: z
      .boolean()
      .meta({ description: 'Whether `model` is the built-in one, which follows literal instructions only.' }),
    budget: z
      .object({
        steps: z.number().int(),
        tokens: z.number().int(),
        minutes: z.number(),
        costUsd: z.number(),
      })
      .meta({ description: 'How much one round of a job may use.' }),
  })
  .meta({ id: 'AgentOptions' })

export type AgentOptionsResource = z.output<typeof agentOptionsSchema>
