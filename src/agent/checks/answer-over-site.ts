import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { AroundFlatten } from '../../content/flatten/source-library.ts'
import { chunkPage } from '../../content/pages/chunk-page.ts'
import { readSite } from '../../content/read-site.ts'
import type { SiteContent } from '../../content/site-page.ts'
import type { FileTree } from '../../content/trees/file-tree.ts'
import { runToolLoop } from '../../models/loop/run-tool-loop.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import { createOfflineModel } from '../../models/offline/offline-model.ts'
import { searchToolName } from '../../models/offline/read-conversation.ts'
import { buildIndexFile } from '../../search/index-file/build-index-file.ts'
import { IndexFile } from '../../search/index-file/index-file.ts'
import { searchIndexFile } from '../../search/search-index-file.ts'
import { describeSite } from '../../sites/describe-site.ts'
import { showPassage } from './show-passage.ts'

/** What the assistant would answer from the files as they are. */
export interface SiteAnswer {
  answer: string
  /** How far the pages answer the question; null if unknown. */
  verdict: string | null
  /** The passages that it rests on, best first. */
  sources: { path: string; title: string; score: number }[]
}

const inputSchema = z.object({ query: z.string() })
const passagesMax = 8
const keptCharsMax = 40_000_000

/** What other files could change, so that its result is not kept. */
const isIncluding = /\bimport\b|\binclude\b|<Snippet|--8<--|\{\{|\{%/

/** Answers questions from a site's files without a model. Reading the site takes about 10 ms per page the first time. */
export class SiteAnswerer {
  readonly #flattened = new Map<string, string>()
  #chars = 0
  readonly #model = createOfflineModel()

  async answer(tree: FileTree, question: string, signal: AbortSignal): Promise<SiteAnswer> {
    const site = await readSite(tree, { signal, aroundFlatten: this.#around })
    const folder = mkdtempSync(join(tmpdir(), 'docent-ask-'))
    try {
      return await this.#ask(openIndex(join(folder, 'index'), site, tree.revision), question, signal)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  async #ask(index: IndexFile, question: string, signal: AbortSignal): Promise<SiteAnswer> {
    try {
      const sources: SiteAnswer['sources'] = []
      const { text, claim } = await runToolLoop({
        model: this.#model,
        instructions: '',
        messages: [{ role: 'user', content: [{ type: 'text', text: question }] }],
        tools: [createSearch(index, sources)],
        emit: () => undefined,
        maxSteps: 4,
        signal,
      })
      return { answer: text, verdict: claim, sources }
    } finally {
      index.close()
    }
  }

  readonly #around: AroundFlatten = async (library, page, flatten) => {
    if (isIncluding.test(page.body)) return flatten(library)
    const key = hash('sha256', JSON.stringify([library.dialect.name, page.file, page.path, page.body]), 'base64')
    const known = this.#flattened.get(key)
    if (known !== undefined) return known
    const text = await flatten(library)
    this.#chars += text.length
    if (this.#chars > keptCharsMax) {
      this.#flattened.clear()
      this.#chars = text.length
    }
    this.#flattened.set(key, text)
    return text
  }
}

function openIndex(file: string, site: SiteContent, revision: string): IndexFile {
  const { pages } = site
  buildIndexFile(file, { header: describeSite(site, revision), pages, chunks: pages.flatMap(chunkPage) })
  return new IndexFile(file)
}

/** The search of the assistant; the model sees what a signed-in reader of no group may see. */
function createSearch(index: IndexFile, sources: SiteAnswer['sources']): ToolDefinition {
  const tool: ToolDefinition<typeof inputSchema> = {
    name: searchToolName,
    description: '',
    inputSchema,
    resultCharsMax: 60_000,
    run: async ({ query }) => {
      const reader = { readerGroups: [], isSignedIn: true }
      const passages = searchIndexFile(index, { text: query, limit: passagesMax, filter: {}, ...reader })
      sources.push(...passages.map(({ path, title, score }) => ({ path, title, score: Math.round(score * 100) / 100 })))
      return passages.map(showPassage)
    },
  }
  return tool
}
