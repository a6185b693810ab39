import { z } from 'zod'
import { refusal } from '../../contract/app-error.ts'
import { quotePath } from '../../git/repository-path.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { deleteFile } from './delete-file-tool.ts'
import { listSpellings } from './find-file.ts'
import { moveFile } from './move-file-tool.ts'

const inputSchema = z.strictObject({
  commit: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/)
    .optional()
    .describe('A commit of this job, as "history" names it. Default: the newest.'),
  paths: z.array(z.string()).min(1).max(500).optional().describe('Only these files. Default: all that it changed.'),
})

/** Takes back what an earlier round of the job committed. */
export function createUndoTool(deps: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'undo',
    description:
      'Takes back everything that an earlier round of this job changed, by default the last one; in the first round, what you have changed. Later changes of other lines stay.',
    inputSchema,
    resultCharsMax: 20_000,
    async run({ commit = null, paths }, signal) {
      const { overlay, revert } = deps
      const reverted = await revert(commit, signal)
      if (reverted === null && commit === null && overlay.changes().length > 0) return undoRound(deps, paths, signal)
      if (reverted === null) {
        throw refusal(
          commit === null
            ? 'This job has changed nothing yet, so there is nothing to take back.'
            : `This job has no commit ${commit} on its branch. Call "history" on a file to see the commits.`,
        )
      }
      const { title, conflicts } = reverted
      const files = choose(deps, reverted.files, paths, ([path]) => [path])
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

/** Of a part, what led to new and moved pages goes with them. */
async function undoRound(deps: AgentToolDeps, paths: readonly string[] | undefined, signal: AbortSignal) {
  const { overlay } = deps
  const changes = choose(deps, overlay.changes(), paths, ({ path, previousPath = path }) => [path, previousPath])
  for (const { path, kind, previousPath } of paths === undefined ? [] : changes) {
    if (previousPath !== undefined) await moveFile(deps, { from: path, to: previousPath }, signal)
    else if (kind === 'added') await deleteFile(deps, path, signal)
  }
  const places = new Set(changes.flatMap(({ path, previousPath = path }) => [path, previousPath]))
  overlay.reset(overlay.changes().filter(({ path }) => places.has(path)))
  return { undone: 'changes of this round', files: changes.map(({ path }) => path) }
}

/** @throws {AppError} if a name stands for none of what was changed. */
function choose<Change>(
  deps: AgentToolDeps,
  changes: readonly Change[],
  names: readonly string[] | undefined,
  pathsOf: (change: Change) => string[],
): Change[] {
  if (names === undefined) return [...changes]
  const chosen = names.flatMap((name) => {
    const spellings = listSpellings(deps, name)
    const found = changes.filter((change) => pathsOf(change).some((path) => spellings.has(path.toLowerCase())))
    if (found.length > 0) return found
    throw refusal(
      `There is nothing to take back: this job has not changed ${quotePath(name)}. Call "diff" to see what it has changed.`,
    )
  })
  // A moved file may be named by both of its paths.
  return [...new Set(chosen)]
}
