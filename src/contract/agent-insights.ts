import { z } from 'zod'
import { questionFilterSchema } from './insights.ts'
import { timestamp } from './timestamp.ts'

export const agentInsightsQuerySchema = questionFilterSchema.pick({ siteId: true, from: true, to: true })

const missedSchema = z.object({
  text: z.string().meta({ description: 'What was searched, or the path that was asked for.' }),
  count: z.number().int(),
  agents: z.array(z.string()).meta({ description: 'Names of some of the agents.' }),
  lastDayAt: timestamp(),
})

export const agentInsightsSchema = z
  .object({
    visits: z.number().int().meta({ description: 'Requests of agents for pages, files and tools.' }),
    byAgent: z.array(
      z.object({
        class: z.string().meta({
          description:
            '`coding-agent`, `assistant`, `assistant-search`, `training`, `program`, or `agent` if the kind is unknown.',
        }),
        name: z.string().meta({ description: 'As the agent calls itself, `unnamed`, or `other` beyond 200 a day.' }),
        visits: z.number().int(),
        missed: z.number().int(),
      }),
    ),
    byForm: z.array(z.object({ form: z.string(), visits: z.number().int() })),
    callersByClass: z
      .array(z.object({ class: z.string(), callersPerDay: z.number().int() }))
      .meta({ description: 'Different callers, counted anew each day and by each process.' }),
    pages: z.array(z.object({ path: z.string(), visits: z.number().int() })),
    searchedInVain: z.array(missedSchema),
    addressesInVain: z.array(missedSchema),
    feedback: z.array(
      z.object({
        id: z.string(),
        siteId: z.string(),
        path: z.string().nullable(),
        messageId: z.string().nullable(),
        helpful: z.boolean(),
        note: z.string().nullable(),
        createdAt: timestamp(),
      }),
    ),
  })
  .meta({ id: 'AgentInsights' })
export type AgentInsights = z.input<typeof agentInsightsSchema>
