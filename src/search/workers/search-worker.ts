/**
 * The thread that reads index files, because reading them blocks. Its only state is open files: the engine replaces a
 * worker that dies and reopens its files.
 */
import { statSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { findAddress, listFollowedRedirects } from '../addresses/find-address.ts'
import { countTerms } from '../ranking/count-terms.ts'
import { explainSearch } from '../ranking/explain-search.ts'
import { IndexFile } from '../index-file/index-file.ts'
import { IndexReadError } from '../index-file/index-read-error.ts'
import { listIndexedPages, readIndexedPage, readPageOrigins } from '../addresses/read-index-file.ts'
import { searchAndCount, searchIndexFile } from '../search-index-file.ts'
import type { VectorIndex } from '../vectors/vector-index.ts'
import type { OpenedFile, SearchRequest, WorkerMessage, WorkerReply } from './search-message.ts'

interface OpenIndex {
  name: string
  file: IndexFile
  vectors: VectorIndex | null
}

const openFiles = new Map<number, OpenIndex>()

/** Loaded for the first vectors: most sites have none, and its schemas would take an eighth of the time that a thread needs to start. */
let vectorCode: Awaited<ReturnType<typeof loadVectorCode>> | null = null
/** What arrived while it is being loaded, because messages are answered in order. Null otherwise. */
let waiting: WorkerMessage[] | null = null

parentPort?.on('message', (messages: readonly WorkerMessage[]) => messages.forEach(take))

function take(message: WorkerMessage): void {
  if (waiting !== null) waiting.push(message)
  else if (vectorCode === null && message.id !== null && message.request.kind === 'open-vectors')
    void takeLater(message)
  else receive(message)
}

async function takeLater(message: WorkerMessage): Promise<void> {
  const messages = (waiting = [message])
  vectorCode = await loadVectorCode()
  waiting = null
  messages.forEach(receive)
}

async function loadVectorCode() {
  return { ...(await import('../vectors/vector-index.ts')), ...(await import('../vectors/vector-file-format.ts')) }
}

function receive(message: WorkerMessage): void {
  if (message.id === null) return 'close' in message ? closeFile(message.close) : closeVectors(message.closeVectors)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  parentPort?.postMessage(answer(message.id, message.request))
}

function answer(id: number, request: SearchRequest): WorkerReply {
  try {
    const value = handleRequest(request)
    return request.kind === 'search' ? { id, json: JSON.stringify(value) } : { id, value }
  } catch (error) {
    const fault = error instanceof IndexReadError ? error.fault : 'failed'
    return { id, error: error instanceof Error ? error.message : String(error), fault }
  }
}

function handleRequest(request: SearchRequest): unknown {
  if (request.kind === 'open') return openFile(request.index, request.file)
  const open = getOpen(request.index)
  if (request.kind === 'open-vectors') return openVectors(open, request.model)
  const { file, vectors } = open
  if (request.kind === 'search') {
    const { question } = request
    const options = { meaning: vectors && question ? { vectors, question } : null }
    return request.query.isForAnswer === true
      ? searchAndCount(file, request.query, options)
      : { passages: searchIndexFile(file, request.query, options), termCounts: null }
  }
  if (request.kind === 'explain') {
    const { question } = request
    return explainSearch(file, request.query, { meaning: vectors && question ? { vectors, question } : null })
  }
  if (request.kind === 'count-terms') return countTerms(file, request.query)
  if (request.kind === 'read-page') return readIndexedPage(file, request.path, request.reader)
  if (request.kind === 'read-origins') return readPageOrigins(file, request.path, request.reader)
  if (request.kind === 'read-image') return file.readImage(request.file)
  if (request.kind === 'find-address') return findAddress(file, request.path, request.reader)
  if (request.kind === 'list-redirects') return listFollowedRedirects(file, request.reader)
  return listIndexedPages(file, request.reader)
}

function openFile(index: number, file: string): OpenedFile {
  const opened = new IndexFile(file)
  openFiles.set(index, { name: file, file: opened, vectors: null })
  const { ino, size, mtimeMs } = statSync(file)
  return { header: opened.header, stamp: `${ino}:${size}:${mtimeMs}` }
}

function openVectors(open: OpenIndex, model: string): boolean {
  if (open.vectors?.header.model === model) return true
  if (vectorCode === null) throw new Error('The code of vectors is not loaded.')
  const vectors = new vectorCode.VectorIndex(open.file, vectorCode.nameVectorFile(open.name))
  // Vectors that do not take part must not cost an embedding for each question.
  if (vectors.header.model === model && vectors.header.fusion.weight > 0) {
    open.vectors?.close()
    open.vectors = vectors
    return true
  }
  vectors.close()
  return false
}

function getOpen(index: number): OpenIndex {
  const open = openFiles.get(index)
  if (!open) throw new IndexReadError('lost', 'This search index is closed. Open it again.')
  return open
}

function closeVectors(index: number): void {
  const open = openFiles.get(index)
  open?.vectors?.close()
  if (open) open.vectors = null
}

function closeFile(index: number): void {
  const open = openFiles.get(index)
  open?.vectors?.close()
  open?.file.close()
  openFiles.delete(index)
}
