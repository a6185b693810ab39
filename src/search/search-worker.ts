/**
 * The thread in which index files are read, because reading them blocks. Holds no state but open files: the engine
 * replaces a worker that dies and opens its files again.
 */
import { statSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { IndexFile } from './index-file.ts'
import { listIndexedPages, readIndexedPage } from './read-index-file.ts'
import { searchIndexFile } from './search-index-file.ts'
import type { IndexedPage, Passage } from './search-query.ts'
import type { OpenedFile, SearchRequest, WorkerMessage, WorkerReply } from './search-message.ts'

type PageSummary = Omit<IndexedPage, 'markdown'>

const openFiles = new Map<number, IndexFile>()

parentPort?.on('message', (message: WorkerMessage) => {
  if (message.id === null) return closeFile(message.close)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  parentPort?.postMessage(answer(message.id, message.request))
})

function answer(id: number, request: SearchRequest): WorkerReply {
  try {
    return { id, value: handleRequest(request) }
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) }
  }
}

function handleRequest(request: SearchRequest): OpenedFile | Passage[] | IndexedPage | null | PageSummary[] {
  if (request.kind === 'open') return openFile(request.index, request.file)
  const file = getFile(request.index)
  if (request.kind === 'search') return searchIndexFile(file, request.query)
  if (request.kind === 'read-page') return readIndexedPage(file, request.path, request.reader)
  return listIndexedPages(file, request.reader)
}

function openFile(index: number, file: string): OpenedFile {
  const opened = new IndexFile(file)
  openFiles.set(index, opened)
  const { ino, size, mtimeMs } = statSync(file)
  return { header: opened.header, stamp: `${ino}:${size}:${mtimeMs}` }
}

function getFile(index: number): IndexFile {
  const file = openFiles.get(index)
  if (!file) throw new Error('This search index is closed. Open it again.')
  return file
}

function closeFile(index: number): void {
  openFiles.get(index)?.close()
  openFiles.delete(index)
}
