import type { z } from 'zod'
import type { AssistantQuestion } from '../../contract/assistant-request.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { IndexedPage, Reader } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { ReadPage } from '../answer-pages.ts'

/** What the tools of an answer need. All of them only read the index. */
export interface AnswerToolDeps {
  site: LiveSite
  reader: Reader
  question: AssistantQuestion
  /** Called with the pages and text that the model read: only those may be cited. @returns The number of each. */
  onRead(pages: readonly ReadPage[]): readonly number[]
}

/** The reader, limited to the groups that the request names, if it names any. */
export function narrowReader({ reader, question }: AnswerToolDeps): Reader {
  const named = question.filter.groups
  if (named === undefined) return reader
  return { ...reader, readerGroups: reader.readerGroups.filter((group) => named.includes(group)) }
}

/** Whether a page has the version, language and tag of the request; version and language default to the site's. */
export function isInRequest(
  { site, question }: AnswerToolDeps,
  { version, language, tag }: Pick<IndexedPage, 'version' | 'language' | 'tag'>,
): boolean {
  const { defaultVersion, defaultLanguage } = site.index.header
  return (
    (question.filter.tag === undefined || tag === question.filter.tag) &&
    matches(version, question.filter.version ?? defaultVersion) &&
    matches(language, question.filter.language ?? defaultLanguage)
  )
}

/** Pages without a version or language belong to each. */
function matches(value: string | null, wanted: string | null): boolean {
  return value === null || wanted === null || value.toLowerCase() === wanted.toLowerCase()
}

type LimitTool = <Schema extends z.ZodObject>(tool: ToolDefinition<Schema>) => ToolDefinition<Schema>

/** Bounds the total output of all limited tools in one answer. */
export function createToolLimit(charsMax: number): LimitTool {
  let charsLeft = charsMax
  return (tool) => ({
    ...tool,
    run: async (input, signal) => {
      if (charsLeft <= 0) return 'No more can be read for this answer. Answer with what was read so far.'
      const output = await tool.run(input, signal)
      charsLeft -= countChars(output)
      return output
    },
  })
}

/** Approximates its size as JSON without serializing it. */
function countChars(value: JsonValue): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 5
  let chars = 2
  for (const [name, item] of Object.entries(value)) chars += name.length + 3 + countChars(item)
  return chars
}
