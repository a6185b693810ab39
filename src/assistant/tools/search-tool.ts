import { z } from 'zod'
import type { AssistantQuestion } from '../../contract/assistant-request.ts'
import { cutText } from '../../contract/cut-text.ts'
import type { JsonValue } from '../../contract/json.ts'
import { queryCharsMax, type SearchResult } from '../../contract/search.ts'
import { splitBlocks } from '../../content/markdown/markdown-blocks.ts'
import type { ChatPrompt } from '../../models/chat-model.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { IndexedPage, Passage, Reader, SearchQuery, TermCounts } from '../../search/search-query.ts'
import { toSearchResult } from '../../sites/search-result.ts'
import { toolBounds } from '../answer-bounds.ts'
import { type AnswerToolDeps, narrowReader } from './answer-tool.ts'
import type { CitablePassage } from '../citations/passage-text.ts'
import { gatePassage } from '../gate/gate-passage.ts'
import { stripInvisible } from '../gate/invisible-characters.ts'

/** Existing front ends look for a tool of this name. */
const searchToolName = 'search'

const inputSchema = z.object({ query: z.string().min(1).describe('What to look for, in words of the documentation.') })

export type SearchTool = ToolDefinition<typeof inputSchema>

/** The tool that searches the pages that this reader may see and the request includes. */
export function createSearchTool(deps: AnswerToolDeps): SearchTool {
  return {
    name: searchToolName,
    description: 'Searches the documentation and returns passages, best first.',
    inputSchema,
    resultCharsMax: 60_000,
    run: ({ query }, signal) => searchPages(deps, query, signal),
  }
}

/** @param path Only this page, as the index names it. */
export async function searchPages(
  deps: AnswerToolDeps,
  text: string,
  signal: AbortSignal,
  path?: string,
): Promise<JsonValue> {
  const query = toSearchQuery(text, deps.question, deps.reader)
  const filter = path === undefined ? query.filter : { ...query.filter, path }
  const passages = await deps.site.index.search({ ...query, filter }, signal)
  return readPassages(deps, passages).map(toToolOutput)
}

/** A whole page, as far as a tool may return it, in the form of a search result. */
export async function showWholePage(deps: AnswerToolDeps, page: IndexedPage, signal: AbortSignal): Promise<JsonValue> {
  const { title, description } = page
  const passage = await readWholePage(deps, page, cutText(page.markdown, toolBounds.pageChars), signal)
  return readPassages(deps, [{ ...passage, description, headings: [], score: 1 }]).map(
    ({ path, content, metadata, number }) => {
      const shown = { title: stripInvisible(title), description: stripInvisible(description), href: metadata.href }
      return { number, path, content, metadata: { ...shown, headings: [], score: 1, isWholePage: true } }
    },
  )
}

/** A page, or a part of one, as a passage that can be cited. */
export async function readWholePage(
  { site, ...deps }: AnswerToolDeps,
  { path, title, markdown, version, language }: IndexedPage,
  content: string,
  signal: AbortSignal,
): Promise<CitablePassage> {
  const place = { path, title, content, anchor: null, headings: [], version, language }
  const found = await site.index.readOrigins(path, narrowReader({ site, ...deps }), signal)
  if (found === null) return place
  const before = splitBlocks(markdown.slice(0, Math.max(0, markdown.indexOf(content)))).length
  return { ...place, ...found, origins: found.origins.slice(before) }
}

/** Passes passages through the gate; from now on their pages may be cited, by their number. */
function readPassages(
  { site, onRead }: AnswerToolDeps,
  passages: readonly Passage[],
): (SearchResult & { number: number })[] {
  const results = passages.map((passage) => {
    const result = toSearchResult(site, passage)
    return { ...result, content: gatePassage(site, result.content), passage }
  })
  const numbers = onRead(results)
  return results.map(({ passage: _passage, ...result }, index) => ({ ...result, number: numbers[index] ?? 0 }))
}

/** The query that a call of the search tool with this text runs. */
export function toSearchQuery(text: string, question: AssistantQuestion, reader: Reader): SearchQuery {
  const { retrievalPageSize, filter, currentPath } = question
  const place = currentPath === null ? {} : { currentPath }
  return {
    text: cutText(text, queryCharsMax),
    limit: retrievalPageSize,
    filter,
    ...place,
    ...reader,
    isForAnswer: true,
  }
}

/** The parts of a passage that a reader and the model need. */
function toToolOutput({ content, path, metadata, number }: SearchResult & { number: number }): JsonValue {
  const { title, href, headings, score } = metadata
  const shown = { title: stripInvisible(title), href, headings: headings.map(stripInvisible), score }
  return { number, path, content, metadata: shown }
}

export interface MadeSearch {
  callId: string
  query: string
  output: JsonValue
  /** How rare the query's words are on the site. Only the offline model gets this. */
  termCounts: TermCounts | null
}

/** The query as models see it: they have just read the question that it repeats. */
const shownQueryCharsMax = 500

/** The first search as the model sees it: as if it had called the tool. */
export function toToolMessages({ callId, query, output, termCounts }: MadeSearch): ChatPrompt {
  const call = { toolCallId: callId, toolName: searchToolName }
  const messages: ChatPrompt = [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', ...call, input: { query: cutText(query, shownQueryCharsMax) } }],
    },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'json', value: output } }] },
  ]
  return termCounts === null ? messages : addTermCounts(messages, callId, termCounts)
}

/** Adds the counts to a search result in the conversation, for the offline model. */
export function addTermCounts(prompt: ChatPrompt, callId: string, termCounts: TermCounts): ChatPrompt {
  const providerOptions = { docent: { termCounts: { ...termCounts } } }
  return prompt.map((message) => {
    if (message.role !== 'tool') return message
    const content = message.content.map((part) =>
      part.type === 'tool-result' && part.toolCallId === callId ? { ...part, providerOptions } : part,
    )
    return { ...message, content }
  })
}
