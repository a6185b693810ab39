import { hash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AroundFlatten, FlatPage, Remember } from '../../content/flatten/source-library.ts'
import { chunkPage } from '../../content/pages/chunk-page.ts'
import { readSite } from '../../content/read-site.ts'
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
const keptIndexBytesMax = 64 * 1024 * 1024

/** What other files could change, so that its result is not kept. */
const isIncluding = /\bimport\b|\binclude\b|<Snippet|--8<--|\{\{|\{%/

interface KeptIndex {
  tree: FileTree
  siteName: string
  bytes: Uint8Array
}

/**
 * Answers questions from a site's files without a model. Reading the site takes about 10 ms per page the first time. The same
 * tree is not read again, and of another one only the pages that differ are indexed.
 */
export class SiteAnswerer {
  readonly #results = new Map<string, unknown>()
  #chars = 0
  #kept: KeptIndex | null = null
  readonly #answerer = new QuotingAnswerer()

  async answer(tree: FileTree, question: string, signal: AbortSignal): Promise<SiteAnswer> {
    // On disk only while it is used, so that nothing is left behind.
    const folder = mkdtempSync(join(tmpdir(), 'docent-ask-'))
    try {
      const file = join(folder, 'index')
      if (this.#kept !== null) writeFileSync(file, this.#kept.bytes)
      const siteName = this.#kept?.tree === tree ? this.#kept.siteName : await this.#build(file, tree, signal)
      return this.#ask(new IndexFile(file), siteName, question)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  /** @param file Holds the index of an earlier tree, or nothing. */
  async #build(file: string, tree: FileTree, signal: AbortSignal): Promise<string> {
    const site = await readSite(tree, { signal, aroundFlatten: this.#around, remember: this.#remember })
    const header = describeSite(site, tree.revision)
    buildIndexFile(file, { header, pages: site.pages, chunkPage, previous: file })
    const bytes = readFileSync(file)
    this.#kept = bytes.length > keptIndexBytesMax ? null : { tree, siteName: site.name, bytes }
    return site.name
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
    const key = digest(['flat', library.dialect.name, page.file, page.path, page.body])
    const known = this.#results.get(key) as FlatPage | undefined
    return known ?? this.#keep(key, page.body.length, await flatten(library))
  }

  readonly #remember: Remember = <Result>(kind: string, texts: readonly string[], make: () => Result) => {
    const key = digest([kind, ...texts])
    // Kept under the kind.
    if (this.#results.has(key)) return this.#results.get(key) as Result
    return this.#keep(
      key,
      texts.reduce((sum, { length }) => sum + length, 0),
      make(),
    )
  }

  #keep<Result>(key: string, chars: number, result: Result): Result {
    this.#chars += chars
    if (this.#chars > keptCharsMax) {
      this.#results.clear()
      this.#chars = chars
    }
    this.#results.set(key, result)
    return result
  }
}

const digest = (parts: readonly string[]) => hash('sha256', JSON.stringify(parts), 'base64')
