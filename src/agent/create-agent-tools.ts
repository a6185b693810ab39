import type { ToolDefinition } from '../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { OneAtATime } from '../base/one-at-a-time.ts'
import { createCheckTool } from './tools/check-tool.ts'
import { createDeleteFileTool } from './tools/delete-file-tool.ts'
import { createEditFileTool } from './tools/edit-file-tool.ts'
import { createFinishTool } from './tools/finish-tool.ts'
import { createGrepTool } from './tools/grep-tool.ts'
import { createListFilesTool } from './tools/list-files-tool.ts'
import { createMoveFileTool } from './tools/move-file-tool.ts'
import { createPlanTool } from './tools/plan-tool.ts'
import { createReadFileTool } from './tools/read-file-tool.ts'
import { createSearchSiteTool } from './tools/search-site-tool.ts'
import { createWriteFileTool } from './tools/write-file-tool.ts'

/** Everything that a model may do in a job. */
export function createAgentTools(deps: AgentToolDeps): ToolDefinition[] {
  const order = new OneAtATime()
  const tools = [
    createListFilesTool(deps),
    createReadFileTool(deps),
    createSearchSiteTool(deps),
    createGrepTool(deps),
    createEditFileTool(deps),
    createWriteFileTool(deps),
    createMoveFileTool(deps),
    createDeleteFileTool(deps),
    createCheckTool(deps),
    createPlanTool(deps),
    createFinishTool(deps),
  ] as ToolDefinition[] // Each parses its own input; a list holds them by what they have in common.
  return tools.map((tool) => inOrder(tool, order))
}

/** Calls of one step run in their order: two edits of one file at once would lose one of them. */
function inOrder(tool: ToolDefinition, order: OneAtATime): ToolDefinition {
  return {
    ...tool,
    run: (input, signal) =>
      order.run('', async () => {
        signal.throwIfAborted()
        return tool.run(input, signal)
      }),
  }
}
