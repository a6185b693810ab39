import type { z } from 'zod'
import type { AssistantQuestion } from '../contract/assistant-request.ts'
import type { JsonValue } from '../contract/json.ts'
import type { ToolDefinition } from '../models/loop/tool-definition.ts'
import type { IndexedPage, Reader } from '../search/search-query.ts'
import type { LiveSite } from '../sites/live-sites.ts'
import type { CitablePage } from './cited-pages.ts'

/** What the tools of an answer work with. All of them read the index and change nothing anywhere. */
export interface AnswerToolDeps {
  site: LiveSite
  reader: Reader
  question: AssistantQuestion
  /** Told of every page that the model got to read, with what it read of it: only those may be cited. */
  onRead(pages: readonly ReadPage[]): void
}

/** A page, and the text of it that was read. Searches tell how well it fits, 0 to 1. */
export interface ReadPage extends CitablePage {
  content: string
  metadata: CitablePage['metadata'] & { score?: number }
}

/** Who reads, with what the request narrows: pages that need groups need one of the reader's that the request names. */
export function narrowReader({ reader, question }: AnswerToolDeps): Reader {
  const named = question.filter.groups
  if (named === undefined) return reader
  return { ...reader, readerGroups: reader.readerGroups.filter((group) => named.includes(group)) }
}

/** Whether a page lies in the version and language that the request is about, those it names or the site's own, and has the tag that it names. */
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

/** Pages outside of all versions or languages belong to each. */
function matches(value: string | null, wanted: string | null): boolean {
  return value === null || wanted === null || value.toLowerCase() === wanted.toLowerCase()
}

/** Ends what tools return once it is more than an answer may take. */
export class ToolBudget {
  #charsLeft: number

  constructor(charsMax: number) {
    this.#charsLeft = charsMax
  }

  /** @returns The tool, whose calls count. */
  limit<Schema extends z.ZodObject>(tool: ToolDefinition<Schema>): ToolDefinition<Schema> {
    return {
      ...tool,
      run: async (input, signal) => {
        if (this.#charsLeft <= 0) return 'No more can be read for this answer. Answer with what was read so far.'
        const output = await tool.run(input, signal)
        return this.#take(output)
      },
    }
  }

  #take(output: JsonValue): JsonValue {
    this.#charsLeft -= countChars(output)
    return output
  }
}

/** About what it takes as JSON, without writing it. */
function countChars(value: JsonValue): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 5
  let chars = 2
  for (const [name, item] of Object.entries(value)) chars += name.length + 3 + countChars(item)
  return chars
}
