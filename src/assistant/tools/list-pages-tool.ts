import { z } from 'zod'
import { pathCharsMax } from '../../contract/search.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { ListedPage } from '../../search/search-query.ts'
import { toolBounds } from '../answer-bounds.ts'
import { type AnswerToolDeps, isInRequest, narrowReader } from './answer-tool.ts'
import { stripInvisible } from '../gate/invisible-characters.ts'

const inputSchema = z.object({
  below: z.string().max(pathCharsMax).optional().describe('Only pages at this path or below it, such as /guides.'),
})

/** The tool that lists the navigation that this reader may see and the request includes. */
export function createListPagesTool(deps: AnswerToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'list_pages',
    description:
      'Lists the pages of the documentation in the order of its navigation, for questions about what there is.',
    inputSchema,
    resultCharsMax: toolBounds.listedPages * 400,
    async run({ below = '/' }, signal) {
      const listed = await deps.site.index.listPages(narrowReader(deps), signal)
      const pages = listed.filter((page) => page.isListed && isInRequest(deps, page) && isBelow(page.path, below))
      if (pages.length === 0) return `No page is listed at ${below} or below it for this reader. Try without "below".`
      const shown = pages.slice(0, toolBounds.listedPages)
      return { pages: shown.map(describePage), morePages: pages.length - shown.length }
    },
  }
}

function isBelow(path: string, below: string): boolean {
  const base = `/${below.replace(/^\/+|\/+$/g, '')}`
  return base === '/' || path === base || path.startsWith(`${base}/`)
}

function describePage({ path, title, section, description }: ListedPage) {
  return {
    path,
    title: stripInvisible(title).slice(0, 120),
    section: section.map(stripInvisible).join(' / ').slice(0, 120),
    description: stripInvisible(description).slice(0, 120),
  }
}
