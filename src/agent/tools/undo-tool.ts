import { z } from 'zod'
import { refusal } from '../../contract/app-error.ts'
import { quotePath } from '../../git/repository-path.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { OverlayChange } from '../../git/overlay/overlay.ts'
import type { AgentToolDeps } from './agent-tool.ts'

const inputSchema = z.strictObject({
  commit: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/)
    .optional()
    .describe('A commit of this job, as "history" names it. Default: the newest.'),
  paths: z.array(z.string()).min(1).max(500).optional().describe('Only these files. Default: all that it changed.'),
})

/** Takes back what an earlier round of the job committed. */
export function createUndoTool({ overlay, revert }: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'undo',
    description:
      'Takes back everything that an earlier round of this job changed, by default the last one; in the first round, what you have changed. Later changes of other lines stay.',
    inputSchema,
    resultCharsMax: 20_000,
    async run({ commit = null, paths }, signal) {
      const reverted = await revert(commit, signal)
      if (reverted === null) {
        const uncommitted = overlay.changes().filter((change) => names(paths, change))
        if (commit === null && uncommitted.length > 0) {
          overlay.reset(uncommitted)
          return { undone: 'changes of this round', files: uncommitted.map(({ path }) => path) }
        }
        throw refusal(
          commit === null
            ? 'There is nothing to take back: this job has not changed that. Call "diff" to see what it has changed.'
            : `This job has no commit ${commit} on its branch. Call "history" on a file to see the commits.`,
        )
      }
      const { title, conflicts } = reverted
      const files = reverted.files.filter(([path]) => paths?.includes(path) ?? true)
      if (conflicts.length > 0) {
        throw refusal(
          `These files have changed since “${title}”: ${conflicts.map(quotePath).join(', ')}. Edit them instead of taking it back.`,
        )
      }
      const changed = new Set(overlay.changes().flatMap(({ path, previousPath }) => [path, previousPath ?? path]))
      const taken = files.find(([path]) => changed.has(path))
      if (taken !== undefined) {
        throw refusal(
          `You have already changed ${quotePath(taken[0])} in this round. Take the round back first, then edit.`,
        )
      }
      for (const [path, bytes] of files) {
        if (bytes === null) overlay.delete(path)
        else await overlay.write(path, bytes)
      }
      return {
        undone: title,
        commit: reverted.commit.slice(0, 12),
        files: files.map(([path]) => path).sort(),
        ...(files.length === 0 && { note: 'Nothing of it is left, so nothing was changed.' }),
      }
    },
  }
}

function names(paths: readonly string[] | undefined, { path, previousPath = path }: OverlayChange): boolean {
  return paths === undefined || paths.some((name) => name === path || name === previousPath)
}
