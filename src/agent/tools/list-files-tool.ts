import { z } from 'zod'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'

const inputSchema = z.object({
  under: z.string().optional().describe('Only files of this folder and below, such as "guides".'),
  containing: z.string().optional().describe('Only paths that contain this text, in any case.'),
})

const pathsMax = 1_000

/** Lists the current files. */
export function createListFilesTool({ overlay, contexts }: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'list',
    description: 'Lists files by path. Narrow it with "under" or "containing" where there are many.',
    inputSchema,
    resultCharsMax: 60_000,
    async run({ under = '', containing = '' }, signal) {
      const folder = under.replaceAll(/^(?:\.?\/)+|\/+$/g, '')
      const context = contexts.find(folder)
      const files =
        context === null
          ? overlay
              .paths()
              .filter((path) => folder === '' || folder === '.' || path === folder || path.startsWith(`${folder}/`))
          : await contexts.list(context, signal)
      const found = files.filter((path) => path.toLowerCase().includes(containing.toLowerCase()))
      const left = found.length - pathsMax
      return {
        total: found.length,
        paths: found.slice(0, pathsMax),
        ...(left > 0 && { note: `${left} more are not shown. Narrow the list.` }),
      }
    },
  }
}
