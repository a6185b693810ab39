import { z } from 'zod'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { moveWithLinks } from './move-page.ts'

const inputSchema = z.object({
  from: z.string().min(1),
  to: z.string().min(1).describe('The new path, with its extension.'),
})

/** Moves a file and updates references to it. */
export function createMoveFileTool(
  deps: Pick<AgentToolDeps, 'overlay' | 'grep' | 'navigationFile'>,
): ToolDefinition<typeof inputSchema> {
  return {
    name: 'move',
    description:
      'Moves or renames a file. Links to a page, its entries in the navigation of docs.json and its own relative links are brought up to date, and its old address is redirected.',
    inputSchema,
    resultCharsMax: 8_000,
    async run({ from, to }, signal) {
      const updated = await moveWithLinks(deps, { from, to }, signal)
      return { from, to, updated }
    },
  }
}
