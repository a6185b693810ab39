import { z } from 'zod'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'

const inputSchema = z.strictObject({
  question: z.string().min(1).max(2_000).describe('As a reader would ask it.'),
})

/** Shows what the assistant would answer from the files as they are. */
export function createAskTool({ askSite }: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'ask',
    description:
      'Shows what the assistant, without a model, would answer from the pages as they are now, your changes included.',
    inputSchema,
    resultCharsMax: 20_000,
    async run({ question }, signal) {
      const { sources, ...answer } = await askSite('ask', { question }, signal)
      return { ...answer, sources: sources.map((source) => ({ ...source })) }
    },
  }
}
