import { z } from 'zod'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { writeFollowing } from './change-files.ts'
import { findFile } from './find-file.ts'

const inputSchema = z.strictObject({
  path: z.string().min(1),
  redirectTo: z.string().optional().describe('Page or address that readers of the deleted page come to.'),
})

/** Deletes a file and references to it. */
export function createDeleteFileTool(deps: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'delete',
    description:
      'Deletes a file. A page leaves the navigation, and links to it become plain text, or lead to "redirectTo". An image or snippet that pages use is kept.',
    inputSchema,
    resultCharsMax: 8_000,
    async run({ path: name, redirectTo }, signal) {
      const path = await findFile(deps, name, signal)
      const target = redirectTo === undefined ? null : await findFile(deps, redirectTo, signal)
      return deleteFile(deps, path, signal, target)
    },
  }
}

/**
 * Deletes a file, and takes it out of what names it.
 *
 * @param redirectTo The page that readers of a deleted page come to, if any.
 * @throws {AppError} if pages use it other than by links.
 */
export async function deleteFile(
  deps: AgentToolDeps,
  path: string,
  signal: AbortSignal,
  redirectTo: string | null = null,
) {
  const { overlay } = deps
  const before = overlay.toJSON()
  const { routes } = redirectTo === null ? { routes: [] } : await deps.askSite('map', {}, signal)
  signal.throwIfAborted()
  overlay.delete(path)
  const following = await deps.askSite('delete', { before, path, redirectTo }, signal)
  const updated = await writeFollowing(deps, following)
  const notes = [...following.notes]
  const from = routes.find(([, file]) => file === path)?.[0]
  if (redirectTo !== null && from !== undefined) {
    const redirect = await deps.askSite('navigation', { change: { action: 'redirect', from, to: redirectTo } }, signal)
    updated.push(...(await writeFollowing(deps, redirect)))
    notes.push(...redirect.notes)
  }
  return { deleted: path, updated: [...new Set(updated)], ...(notes.length > 0 && { note: notes.join(' ') }) }
}
