import { z } from 'zod'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { findFile } from './find-file.ts'

const inputSchema = z.strictObject({
  path: z.string().optional().describe('Only this file.'),
  stat: z.boolean().optional().describe('Only the names of the files.'),
})

const diffCharsMax = 30_000

/** Shows what the job has changed. */
export function createDiffTool(deps: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'diff',
    description: 'Shows what you have changed since the round began.',
    inputSchema,
    resultCharsMax: 40_000,
    async run({ path: name, stat = false }, signal) {
      const changes = deps.overlay.changes()
      const changed = changes.map((change) => ({ ...change }))
      if (stat || changes.length === 0)
        return { files: changed, ...(changes.length === 0 && { note: 'Nothing is changed.' }) }
      const path = name === undefined ? null : await findChanged(deps, name, signal)
      const text = await deps.diff(path, signal)
      const isCut = text.length > diffCharsMax
      return {
        files:
          path === null ? changed : changed.filter((change) => change.path === path || change.previousPath === path),
        diff: text.slice(0, diffCharsMax),
        ...(isCut && { note: 'The diff is cut. Ask for one file by its "path".' }),
      }
    },
  }
}

/** A deleted file is found by its path. */
async function findChanged(deps: AgentToolDeps, name: string, signal: AbortSignal): Promise<string> {
  const bare = name.replace(/^(?:\.?\/)+/, '')
  const isDeleted = deps.overlay.changes().some(({ path, previousPath }) => path === bare || previousPath === bare)
  return isDeleted ? bare : findFile(deps, name, signal)
}
