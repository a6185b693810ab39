import { z } from 'zod'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'

const inputSchema = z.object({
  items: z
    .array(z.object({ text: z.string().min(1).max(200), state: z.enum(['open', 'doing', 'done']).default('open') }))
    .max(30)
    .describe('The whole list; it takes the place of the one before.'),
})

/** Keeps the public list of tasks. */
export function createPlanTool({ state }: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'plan',
    description: 'Shows people what you are going to do and how far you are. Useful for work of more than three steps.',
    inputSchema,
    resultCharsMax: 500,
    async run({ items }) {
      state.plan = items
      return { items: items.length }
    },
  }
}
