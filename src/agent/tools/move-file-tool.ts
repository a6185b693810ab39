import { posix } from 'node:path'
import { z } from 'zod'
import { isPageFile } from '../../content/trees/source-path.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { writeFollowing } from './change-files.ts'
import { findFile, findFolder, isReserved, placeAmongPages, readNewFile } from './find-file.ts'

const inputSchema = z.strictObject({
  from: z.string().min(1),
  to: z.string().min(1).describe('New path, or a folder.'),
})

/** Moves a file and updates references to it. */
export function createMoveFileTool(deps: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'move',
    description:
      'Moves or renames a file. Links, images and imports of all pages follow, and so do the navigation and a redirect where the site has them.',
    inputSchema,
    resultCharsMax: 8_000,
    async run({ from, to }, signal) {
      return moveTo(deps, { from: await findFile(deps, from, signal), to }, signal)
    },
  }
}

/** Moves a file to where a name leads, among the pages of the site. @param move.to May be a folder, or lack its extension. */
export async function moveTo(
  deps: AgentToolDeps,
  { from, to: wanted }: { from: string; to: string },
  signal: AbortSignal,
) {
  const to = await placeAmongPages(deps, chooseTarget(deps, from, wanted), signal, from)
  return moveFile(deps, { from, to }, signal)
}

/** Moves a file to a path, and lets everything that names it follow. */
export async function moveFile(deps: AgentToolDeps, { from, to }: { from: string; to: string }, signal: AbortSignal) {
  const { overlay } = deps
  const before = overlay.toJSON()
  signal.throwIfAborted()
  await overlay.move(from, to)
  const following = await deps.askSite('move', { before, from, to }, signal)
  const updated = await writeFollowing(deps, following)
  return { from, to, updated, ...(following.notes.length > 0 && { note: following.notes.join(' ') }) }
}

function chooseTarget(deps: AgentToolDeps, from: string, wanted: string): string {
  const path = readNewFile(deps, wanted)
  if (path === '' || /\/\s*$/.test(wanted) || (findFolder(deps, path) !== null && posix.extname(path) === '')) {
    return posix.join(path, posix.basename(from))
  }
  return isPageFile(from) && !/\.\w{1,8}$/.test(path) && !isReserved(path) ? path + posix.extname(from) : path
}
