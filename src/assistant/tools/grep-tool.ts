import { z } from 'zod'
import { queryCharsMax } from '../../contract/search.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import { anchorOf } from '../../content/markdown/heading-anchors.ts'
import type { IndexedPage } from '../../search/search-query.ts'
import { toolBounds } from '../answer-bounds.ts'
import type { ReadPage } from '../answer-pages.ts'
import { listHeadings, type PageHeading } from './page-section.ts'
import { type AnswerToolDeps, isInRequest, narrowReader } from './answer-tool.ts'
import { gatePassage } from '../gate/gate-passage.ts'
import { stripInvisible } from '../gate/invisible-characters.ts'

const inputSchema = z.object({
  text: z.string().min(2).max(200).describe('Exact text, such as a flag, an error code or a name. No pattern.'),
})

/** Pages read concurrently: enough to keep the index threads busy. */
const batchSize = 8
const linesBefore = 1
const linesAfter = 2
const excerptCharsMax = 600

interface Match {
  page: IndexedPage
  excerpt: string
  /** The nearest heading above. */
  heading: PageHeading | undefined
}

/** The tool that finds literal text in the pages that this reader may see and the request includes. */
export function createGrepTool(deps: AnswerToolDeps): ToolDefinition<typeof inputSchema> {
  const { site } = deps
  return {
    name: 'grep',
    description: 'Finds exact text in the pages, in any case, when search does not find a name, a flag or a code.',
    inputSchema,
    resultCharsMax: toolBounds.grepMatches * excerptCharsMax * 2,
    async run({ text }, signal) {
      const paths = await orderPages(deps, text, signal)
      const { matches, pagesRead } = await readMatches(deps, { text, paths }, signal)
      const isComplete = pagesRead === paths.length && matches.length < toolBounds.grepMatches
      if (matches.length === 0)
        return `No page holds "${text}"${isComplete ? '' : ', as far as there was time to look'}.`
      const shown = matches.map((match) => ({ ...match, content: gatePassage(site, match.excerpt) }))
      const numbers = deps.onRead(shown.map(toReadPage))
      const found = shown.map(({ page, content }, index) => {
        return { number: numbers[index] ?? 0, path: page.path, title: stripInvisible(page.title), content }
      })
      return { matches: found, isComplete }
    },
  }
}

/** Pages that a search finds for the text come first, then all others in navigation order. */
async function orderPages(deps: AnswerToolDeps, text: string, signal: AbortSignal): Promise<string[]> {
  const { site, question } = deps
  const reader = narrowReader(deps)
  const query = { text: text.slice(0, queryCharsMax), limit: 50, filter: question.filter, ...reader }
  const [passages, listed] = await Promise.all([site.index.search(query, signal), site.index.listPages(reader, signal)])
  const others = listed.filter((page) => isInRequest(deps, page))
  return [...new Set([...passages, ...others].map(({ path }) => path))]
}

async function readMatches(
  deps: AnswerToolDeps,
  { text, paths }: { text: string; paths: readonly string[] },
  signal: AbortSignal,
): Promise<{ matches: Match[]; pagesRead: number }> {
  const reader = narrowReader(deps)
  const matches: Match[] = []
  const timeUp = AbortSignal.timeout(toolBounds.grepMs)
  let pagesRead = 0
  while (pagesRead < Math.min(paths.length, toolBounds.grepPages) && matches.length < toolBounds.grepMatches) {
    if (timeUp.aborted) break
    const batch = paths.slice(pagesRead, pagesRead + batchSize)
    const pages = await Promise.all(batch.map((path) => deps.site.index.readPage(path, reader, signal)))
    pagesRead += batch.length
    for (const page of pages) if (page !== null && isInRequest(deps, page)) matches.push(...findMatches(page, text))
  }
  return { matches: matches.slice(0, toolBounds.grepMatches), pagesRead }
}

/** At most three per page, each with the lines around it. */
function findMatches(page: IndexedPage, text: string): Match[] {
  const lines = page.markdown.split('\n')
  const headings = listHeadings(page.markdown)
  const wanted = text.toLowerCase()
  const found = lines.flatMap((line, index) => (line.toLowerCase().includes(wanted) ? [index] : []))
  return found.slice(0, 3).map((index) => {
    const around = lines.slice(Math.max(0, index - linesBefore), index + linesAfter + 1)
    const heading = headings.findLast((each) => each.line <= index)
    return { page, heading, excerpt: around.join('\n').slice(0, excerptCharsMax) }
  })
}

function toReadPage({ page, excerpt, content, heading }: Match & { content: string }): ReadPage {
  const { path, title, version, language } = page
  const anchor = heading === undefined ? null : anchorOf(page.markdown.split('\n')[heading.line] ?? '') || null
  const headings = heading === undefined ? [] : [heading.text]
  return {
    path,
    content,
    metadata: { title },
    passage: { path, title, version, language, content: excerpt, anchor, headings },
  }
}
