import type { DatabaseSync } from 'node:sqlite'
import type { AnalyzedChunk } from './analyze-chunk.ts'
import type { IndexFile } from './index-file.ts'
import { mergePostings } from './merge-postings.ts'
import { fieldCount, packCounts, type Postings, PostingsWriter } from './postings.ts'
import type { TermNumbers } from './term-dictionary.ts'

interface PatchedTerm {
  term: string
  id: number
  /** In the earlier index; null if it is new. */
  earlier: Postings | null
  /** In the chunks that have changed. */
  own: PostingsWriter | null
  isTouched: boolean
}

/** The terms of changed chunks. Those of the earlier index keep their ids. */
export class PatchedTerms implements TermNumbers {
  readonly #index: IndexFile
  readonly #byTerm = new Map<string, PatchedTerm>()
  readonly #byId = new Map<number, PatchedTerm>()
  /** By chunk: its number, or -1 if its words have changed. */
  readonly #keptChunks: Int32Array
  #count: number

  constructor(index: IndexFile) {
    this.#index = index
    this.#keptChunks = Int32Array.from(index.chunkPages.keys())
    this.#count = index.termSlots.length
  }

  number(term: string): number {
    const known = this.#byTerm.get(term)
    if (known !== undefined) return known.id
    const earlier = this.#index.getTerm(term)
    const added = { term, id: earlier?.id ?? this.#count++, earlier, own: null, isTouched: false }
    this.#byTerm.set(term, added)
    this.#byId.set(added.id, added)
    return added.id
  }

  /** @param words That the chunk had. */
  remove(chunk: number, { termIds }: AnalyzedChunk): void {
    this.#keptChunks[chunk] = -1
    for (let place = 0; place < termIds.length; place++) this.#get(termIds[place] as number).isTouched = true
  }

  /** Chunks must come in order. */
  add(chunk: number, { termIds, counts }: AnalyzedChunk): void {
    for (let place = 0; place < termIds.length; place++) {
      const term = this.#get(termIds[place] as number)
      term.isTouched = true
      term.own ??= new PostingsWriter()
      term.own.add(chunk, packCounts(counts, place * fieldCount))
    }
  }

  /** @returns How many ids are in use; those of terms that are gone are not used again. */
  write(database: DatabaseSync): number {
    const merge = mergePostings(this.#keptChunks, this.#keptChunks.length)
    const insert = database.prepare('INSERT INTO term VALUES (?, ?, ?, ?)')
    const update = database.prepare('UPDATE term SET chunk_count = ?, postings = ? WHERE term = ?')
    const remove = database.prepare('DELETE FROM term WHERE term = ?')
    for (const { term, id, earlier, own, isTouched } of this.#byTerm.values()) {
      if (!isTouched) continue
      const found = own?.finish() ?? null
      const { chunkCount, bytes } = earlier === null ? (found as Postings) : merge(earlier, found) // One of both has it.
      if (chunkCount === 0) remove.run(term)
      else if (earlier === null) insert.run(term, id, chunkCount, bytes)
      else update.run(chunkCount, bytes, term)
    }
    return this.#count
  }

  #get(id: number): PatchedTerm {
    return this.#byId.get(id) as PatchedTerm // Numbered before.
  }
}
