import { z } from 'zod'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { findFile, findFolder } from './find-file.ts'
import { isGlob, matchPaths } from './match-paths.ts'

const inputSchema = z.strictObject({
  under: z.string().optional().describe('Folder, such as "guides".'),
  containing: z.string().optional().describe('Part of the path, in any case.'),
  glob: z.string().optional().describe('Such as "**/*.mdx".'),
})

const pathsMax = 1_000

/** Lists the current files. */
export function createListFilesTool(deps: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'list',
    description: 'Lists files by path.',
    inputSchema,
    resultCharsMax: 60_000,
    async run({ under = '', containing = '', glob }, signal) {
      const isWanted = matchPaths([glob ?? '', isGlob(under) ? under : ''].filter(Boolean).join(','))
      const files = await listBelow(deps, isGlob(under) ? '' : under, signal)
      const found = files.filter((path) => isWanted(path) && path.toLowerCase().includes(containing.toLowerCase()))
      const left = found.length - pathsMax
      return {
        total: found.length,
        paths: found.slice(0, pathsMax),
        ...(left > 0 && { note: `${left} more are not shown. Narrow the list.` }),
      }
    },
  }
}

/** The files of a folder, or the one file, of the site or of a context repository. @throws {AppError} if there are none. */
export async function listBelow(
  deps: Pick<AgentToolDeps, 'overlay' | 'contexts' | 'askSite' | 'subdirectory' | 'site'>,
  under: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const context = deps.contexts.find(under.trim())
  if (context !== null) return deps.contexts.list(context, signal)
  const folder = findFolder(deps, under)
  if (folder === null) return [await findFile(deps, under, signal)]
  return deps.overlay.paths().filter((path) => folder === '' || path.startsWith(`${folder}/`))
}
