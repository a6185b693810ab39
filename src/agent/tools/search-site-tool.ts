import { z } from 'zod'
import { queryCharsMax } from '../../contract/search.ts'
import { AppError } from '../../contract/app-error.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'

const inputSchema = z.object({ query: z.string().min(1).describe('What to look for, in words.') })

const passagesMax = 8
const passageCharsMax = 1_500

/** Searches the published site, without the job's changes. */
export function createSearchSiteTool({ site }: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'search',
    description:
      'Searches the published documentation by meaning and returns passages, best first. It does not show your changes. For exact text use "grep".',
    inputSchema,
    resultCharsMax: 30_000,
    async run({ query }, signal) {
      if (site === null) throw new AppError('invalid_request', 'The site has no index yet. Use "grep" and "list".')
      const passages = await site.index.search(
        { text: query.slice(0, queryCharsMax), limit: passagesMax, filter: {}, readerGroups: [], isSignedIn: true },
        signal,
      )
      return passages.map(({ path, title, headings, content }) => ({
        page: path,
        title,
        headings,
        content: content.slice(0, passageCharsMax),
      }))
    },
  }
}
