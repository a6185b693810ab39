import { z } from 'zod'

/** What jobs of this installation run with. */
export const agentOptionsSchema = z
  .object({
    model: z.string().meta({ description: 'The model of jobs that name none.' }),
    models: z.array(z.string()).meta({ description: 'The models that a job may name.' }),
    isOffline: z
      .boolean()
      .meta({ description: 'Whether `model` is the built-in one, which only follows literal instructions.' }),
    budget: z
      .object({
        steps: z.number().int(),
        tokens: z.number().int(),
        minutes: z.number(),
        costUsd: z.number(),
      })
      .meta({ description: 'Budget of one round of a job.' }),
  })
  .meta({ id: 'AgentOptions' })

export type AgentOptionsResource = z.output<typeof agentOptionsSchema>
