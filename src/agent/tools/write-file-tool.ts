import { z } from 'zod'
import { changeText } from './move-page.ts'
import { addToNavigation } from './navigation-file.ts'
import { isPagePath } from './page-links.ts'
import { decodeText, findLineEnd, withLineEnd } from './text-file.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'

const inputSchema = z.object({
  path: z.string().min(1).describe('From the root of the files, such as "guides/install.mdx".'),
  content: z.string().describe('The whole file.'),
  listed: z
    .boolean()
    .optional()
    .describe('Also name a new page in the navigation of docs.json, behind the pages of its folder.'),
})

/** Writes a whole file. */
export function createWriteFileTool(
  deps: Pick<AgentToolDeps, 'overlay' | 'navigationFile'>,
): ToolDefinition<typeof inputSchema> {
  const { overlay, navigationFile } = deps
  return {
    name: 'write',
    description: 'Writes a whole file, new or in the place of what is there. For a part of a file use "edit".',
    inputSchema,
    resultCharsMax: 2_000,
    async run({ path, content, listed = false }, signal) {
      const isNew = !overlay.has(path)
      const before = isNew ? null : decodeText(await overlay.read(path))
      const text = before === null ? content : withLineEnd(content, findLineEnd(before))
      signal.throwIfAborted()
      await overlay.write(path, new TextEncoder().encode(text))
      const isListed = listed && isNew && isPagePath(path) && navigationFile !== null
      const updated =
        isListed && (await changeText(deps, navigationFile, (file) => addToNavigation(file, path)))
          ? [navigationFile]
          : []
      return {
        path,
        updated,
        written: isNew ? 'a new file' : 'over the file that was there',
        lines: content.split('\n').length,
      }
    },
  }
}
