import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AroundFlatten, FlatPage } from '../../content/flatten/source-library.ts'
import { chunkPage } from '../../content/pages/chunk-page.ts'
import { readSite } from '../../content/read-site.ts'
import type { SiteContent } from '../../content/site-page.ts'
import type { FileTree } from '../../content/trees/file-tree.ts'
import type { AnswerVerdict } from '../../contract/verdicts.ts'
import { QuotingAnswerer } from '../../models/offline/answer-by-quoting.ts'
import { buildIndexFile } from '../../search/index-file/build-index-file.ts'
import { IndexFile } from '../../search/index-file/index-file.ts'
import { describeSite } from '../../sites/describe-site.ts'
import { OfflineAsker } from './offline-asker.ts'

/** What the assistant would answer from the files as they are. */
export interface SiteAnswer {
  answer: string
  /** How far the pages answer the question. */
  verdict: AnswerVerdict
  /** The pages that it quotes. */
  sources: { path: string; title: string }[]
}

const keptCharsMax = 40_000_000

/** What other files could change, so that its result is not kept. */
const isIncluding = /\bimport\b|\binclude\b|<Snippet|--8<--|\{\{|\{%/

/** Answers questions from a site's files without a model. Reading the site takes about 10 ms per page the first time. */
export class SiteAnswerer {
  readonly #flattened = new Map<string, FlatPage>()
  #chars = 0
  readonly #answerer = new QuotingAnswerer()

  async answer(tree: FileTree, question: string, signal: AbortSignal): Promise<SiteAnswer> {
    const site = await readSite(tree, { signal, aroundFlatten: this.#around })
    const folder = mkdtempSync(join(tmpdir(), 'docent-ask-'))
    try {
      return this.#ask(openIndex(join(folder, 'index'), site, tree.revision), site.name, question)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  #ask(index: IndexFile, siteName: string, question: string): SiteAnswer {
    try {
      const asker = new OfflineAsker(index, siteName, this.#answerer)
      const { text, verdict, citations } = asker.answer({ question, version: null })
      return { answer: text, verdict, sources: citations.map(({ path, title }) => ({ path, title })) }
    } finally {
      index.close()
    }
  }

  readonly #around: AroundFlatten = async (library, page, flatten) => {
    if (isIncluding.test(page.body)) return flatten(library)
    const key = hash('sha256', JSON.stringify([library.dialect.name, page.file, page.path, page.body]), 'base64')
    const known = this.#flattened.get(key)
    if (known !== undefined) return known
    const flat = await flatten(library)
    this.#chars += flat.markdown.length
    if (this.#chars > keptCharsMax) {
      this.#flattened.clear()
      this.#chars = flat.markdown.length
    }
    this.#flattened.set(key, flat)
    return flat
  }
}

function openIndex(file: string, site: SiteContent, revision: string): IndexFile {
  const { pages } = site
  buildIndexFile(file, { header: describeSite(site, revision), pages, chunkPage })
  return new IndexFile(file)
}
