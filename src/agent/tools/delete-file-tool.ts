import { z } from 'zod'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { deleteWithLinks } from './move-page.ts'

const inputSchema = z.object({ path: z.string().min(1) })

/** Deletes a file and references to it. */
export function createDeleteFileTool(
  deps: Pick<AgentToolDeps, 'overlay' | 'grep' | 'navigationFile'>,
): ToolDefinition<typeof inputSchema> {
  return {
    name: 'delete',
    description:
      'Deletes a file. A page leaves the navigation of docs.json, and Markdown links to it become plain text.',
    inputSchema,
    resultCharsMax: 8_000,
    async run({ path }, signal) {
      return { deleted: path, updated: await deleteWithLinks(deps, path, signal) }
    },
  }
}
