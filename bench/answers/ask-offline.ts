import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chunkPage } from '../../src/content/chunk-page.ts'
import type { Chunk } from '../../src/content/chunk.ts'
import type { SitePage } from '../../src/content/site-page.ts'
import type { JsonValue } from '../../src/contract/json.ts'
import { createOfflineModel } from '../../src/models/offline/offline-model.ts'
import { runToolLoop } from '../../src/models/run-tool-loop.ts'
import type { ToolDefinition } from '../../src/models/tool-definition.ts'
import { buildIndexFile } from '../../src/search/build-index-file.ts'
import { createSearchEngine } from '../../src/search/search-engine.ts'
import type { Passage, SearchIndex } from '../../src/search/search-query.ts'
import { z } from 'zod'
import type { GivenAnswer } from './evaluate-answers.ts'

export interface OfflineAsker {
  /** @param earlier Questions that were asked before, oldest first. */
  ask(question: string, earlier?: readonly string[]): Promise<GivenAnswer>
  close(): Promise<void>
}

const passagesPerSearch = 5
const inputSchema = z.object({ query: z.string() })

/** Indexes pages with the real search and asks the offline model through the real loop. */
export async function openOfflineAsker(
  pages: readonly SitePage[],
  siteName = '',
  chunks: readonly Chunk[] = pages.flatMap(chunkPage),
): Promise<OfflineAsker> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-answers-'))
  const file = join(folder, 'index.sqlite')
  const header = { siteName, siteDescription: '', revision: '1', defaultVersion: null, defaultLanguage: null }
  buildIndexFile(file, { header, pages, chunks })
  const engine = createSearchEngine({ threads: 1 })
  const index = await engine.open(file)
  const model = createOfflineModel()
  return {
    async ask(question, earlier = []) {
      const { text, isAnswered } = await runToolLoop({
        model,
        instructions: siteName,
        messages: [...earlier, question].map((text) => ({ role: 'user', content: [{ type: 'text', text }] })),
        tools: [createSearch(index)],
        emit: () => undefined,
        maxSteps: 5,
        signal: AbortSignal.timeout(20_000),
      })
      return { text, isAnswered: isAnswered === true }
    },
    async close() {
      await engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function createSearch(index: SearchIndex): ToolDefinition<typeof inputSchema> {
  return {
    name: 'search',
    description: 'Searches.',
    inputSchema,
    resultCharsMax: 60_000,
    async run({ query }) {
      const search = { text: query, limit: passagesPerSearch, filter: {}, readerGroups: [], isSignedIn: false }
      return (await index.search(search)).map(toToolOutput)
    },
  }
}

function toToolOutput({ path, anchor, title, headings, content, score }: Passage): JsonValue {
  const href = `http://localhost${path}${anchor === null ? '' : `#${anchor}`}`
  return { path, content, metadata: { title, href, headings, score } }
}
