import type { AgentProblem } from '../../contract/agent-job-event.ts'
import { AppError } from '../../contract/app-error.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { OneAtATime } from '../../base/one-at-a-time.ts'
import { createAskTool } from './ask-tool.ts'
import { createCheckTool } from './check-tool.ts'
import { createDeleteFileTool } from './delete-file-tool.ts'
import { createEditFileTool } from './edit-file-tool.ts'
import { createFinishTool } from './finish-tool.ts'
import { createGrepTool } from './grep-tool.ts'
import { createListFilesTool } from './list-files-tool.ts'
import { createMoveFileTool } from './move-file-tool.ts'
import { createPlanTool } from './plan-tool.ts'
import { createReadFileTool } from './read-file-tool.ts'
import { createSearchSiteTool } from './search-site-tool.ts'
import { createDiffTool } from './diff-tool.ts'
import { createHistoryTool } from './history-tool.ts'
import { createNavigationTool } from './navigation-tool.ts'
import { createPatchTool } from './patch-tool.ts'
import { createRenderPageTool } from './render-page-tool.ts'
import { createReplaceTextTool } from './replace-text-tool.ts'
import { createUndoTool } from './undo-tool.ts'
import { createWriteFileTool } from './write-file-tool.ts'

/** All tools of a job, always in this order: providers cache their descriptions. */
export function createAgentTools(deps: AgentToolDeps): ToolDefinition[] {
  const order = new OneAtATime()
  const tools = [
    createListFilesTool(deps),
    createReadFileTool(deps),
    createSearchSiteTool(deps),
    createGrepTool(deps),
    createRenderPageTool(deps),
    createAskTool(deps),
    createHistoryTool(deps),
    createEditFileTool(deps),
    createReplaceTextTool(deps),
    createPatchTool(deps),
    createWriteFileTool(deps),
    createMoveFileTool(deps),
    createDeleteFileTool(deps),
    createNavigationTool(deps),
    createUndoTool(deps),
    createDiffTool(deps),
    createCheckTool(deps),
    createPlanTool(deps),
    createFinishTool(deps),
  ] as ToolDefinition[] // Each parses its own input; the list needs their common type.
  return tools.map((tool) => inOrder(refuseForbidden(tool, deps), order))
}

/** Tools that change entries of the navigation by their syntax, and so may do it in code. */
const navigating = new Set(['navigation', 'write', 'move', 'delete', 'patch', 'undo'])

/** Whether a call writes a file of code itself. */
function namesCode({ path, patch }: { path?: unknown; patch?: unknown }): boolean {
  const patched = typeof patch === 'string' ? (patch.match(/^(?:\+\+\+|\*\*\* \w+ File:) .*$/gm) ?? []) : []
  return [path, ...patched].some((name) => typeof name === 'string' && /\.[mc]?[jt]sx?\s*$/i.test(name))
}

const namedMax = 5

/**
 * Undoes a call that fails or that wrote what documentation must not contain, and says why. Around every tool, so that
 * none can be forgotten and nothing stays that was not judged.
 */
function refuseForbidden(tool: ToolDefinition, { overlay, findForbidden }: AgentToolDeps): ToolDefinition {
  return {
    ...tool,
    async run(input, signal) {
      const before = overlay.remember()
      try {
        const output = await tool.run(input, signal)
        const paths = before.changedPaths()
        const mayChangeEntries = navigating.has(tool.name) && !namesCode(input)
        if (paths.length > 0) requireAllowed(await findForbidden(paths, { mayChangeEntries }, signal))
        return output
      } catch (error) {
        before.restore()
        throw error
      }
    },
  }
}

function requireAllowed(forbidden: readonly AgentProblem[]): void {
  if (forbidden.length === 0) return
  const messages = forbidden.slice(0, namedMax).map(({ message, line }) => nameLine(line) + message)
  throw new AppError('invalid_request', `${messages.join(' ')} Nothing was changed.`)
}

const nameLine = (line: number | null) => (line === null ? '' : `Line ${line}: `)

/** Runs the calls of a step in order: of two concurrent edits of a file, one would be lost. */
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
