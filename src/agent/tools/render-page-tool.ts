import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import { quotePath } from '../../git/repository-path.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { findFile } from './find-file.ts'
import { outlineText } from './outline-text.ts'

const inputSchema = z.strictObject({ path: z.string().min(1) })

const textCharsMax = 30_000

/** Shows a page as readers see it. */
export function createRenderPageTool(deps: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'render',
    description:
      'Shows a page as text as readers see it: snippets and components expanded, with its address and place.',
    inputSchema,
    resultCharsMax: 40_000,
    async run({ path: name }, signal) {
      const path = await findFile(deps, name, signal)
      const page = await deps.askSite('render', { path }, signal)
      if (page === null) {
        throw new AppError(
          'invalid_request',
          `${quotePath(path)} is no page of the site: readers do not see it by itself. Read it instead.`,
        )
      }
      const { text, images: _shownToPeople, ...rest } = page
      const isCut = text.length > textCharsMax
      return {
        ...rest,
        headings: outlineText(text).map(({ level, text: title }) => ({ level, text: title })),
        text: text.slice(0, textCharsMax),
        ...(isCut && { note: `The text has ${text.length} characters; this is its beginning.` }),
      }
    },
  }
}
