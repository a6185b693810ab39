import { openObjects } from '../repository-objects.ts'

/** Reads files of one repository. */
export interface GitObjectReader {
  /** @throws {Error} if there is no such blob, it is over the limit, or the reader is closed. */
  readBlob(id: string): Promise<Uint8Array>
  /** Idempotent. Pending reads are rejected. */
  close(): void
}

export interface GitObjectReaderOptions {
  gitDirectory: string
  /** Larger blobs are rejected without being buffered. */
  blobBytesMax: number
}

/** Aborting the signal closes the reader. */
export function openGitObjectReader(options: GitObjectReaderOptions, outer: AbortSignal): GitObjectReader {
  outer.throwIfAborted()
  const { gitDirectory, blobBytesMax } = options
  const closing = new AbortController()
  const signal = AbortSignal.any([outer, closing.signal])
  const opening = openObjects(gitDirectory)
  return {
    async readBlob(id) {
      if (!/^[0-9a-f]{40,64}$/.test(id)) throw new Error(`"${id}" is not a git object id.`)
      const objects = await opening
      const found = await objects.ask({ command: 'contents', object: id, bytesMax: blobBytesMax }, signal)
      if (found === null) throw new Error(`The repository lacks the object ${id}: it was not fetched.`)
      if (found.type !== 'blob') throw new Error(`The object is a ${found.type}, not the content of a file.`)
      return found.bytes
    },
    close: () => closing.abort(new Error('The commit was closed: open it again to read from it.')),
  }
}
