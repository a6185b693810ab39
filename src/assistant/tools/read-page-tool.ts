import { z } from 'zod'
import { pathCharsMax } from '../../contract/search.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import { pageHref } from '../../sites/site-url.ts'
import { toolBounds } from '../answer-bounds.ts'
import { type AnswerToolDeps, isInRequest, narrowReader } from './answer-tool.ts'
import { gatePassage } from '../gate/gate-passage.ts'
import { stripInvisible } from '../gate/invisible-characters.ts'
import { findSection, listHeadings } from './page-section.ts'
import { readWholePage } from './search-tool.ts'

const inputSchema = z.object({
  path: z.string().min(1).max(pathCharsMax).describe('Path of the page, as another tool returned it.'),
  heading: z.string().max(300).optional().describe('Only the section under this heading.'),
})

const headingsMax = 60

/** The tool that reads a page, or a section of it, that this reader may see and the request includes. */
export function createReadPageTool(deps: AnswerToolDeps): ToolDefinition<typeof inputSchema> {
  const { site } = deps
  return {
    name: 'read_page',
    description: 'Reads a page of the documentation, or one section of it, when a passage is not enough.',
    inputSchema,
    resultCharsMax: toolBounds.pageChars * 2,
    async run({ path, heading }, signal) {
      const page = await site.index.readPage(path, narrowReader(deps), signal)
      if (page === null || !isInRequest(deps, page)) {
        return `There is no page "${path}" for this reader. Use a path that search or list_pages returned.`
      }
      const headings = listHeadings(page.markdown).map(({ text }) => stripInvisible(text))
      const text = heading === undefined ? page.markdown : findSection(page.markdown, heading)
      if (text === null)
        return { path: page.path, error: `There is no heading "${heading}".`, headings: headings.slice(0, headingsMax) }
      const gated = gatePassage(site, text)
      const content = gated.slice(0, toolBounds.pageChars)
      const title = stripInvisible(page.title)
      const passage = await readWholePage(deps, page, text.slice(0, toolBounds.pageChars), signal)
      const [number = 0] = deps.onRead([{ path: page.path, content, metadata: { title: page.title }, passage }])
      return {
        number,
        path: page.path,
        content,
        metadata: { title, href: pageHref(site, page.path, null) },
        ...(content.length < gated.length && { isCut: true, headings: headings.slice(0, headingsMax) }),
      }
    },
  }
}
