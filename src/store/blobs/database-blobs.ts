import { open } from 'node:fs/promises'
import { type Blob, type BlobContents, BlobMissingError } from './blobs.ts'
import type { Db } from '../schema.ts'
import type { Store } from '../store.ts'

/** Bytes per row: small enough to hold a few in memory, large enough to keep rows few. */
const chunkBytes = 1024 * 1024

/** Stores content in the database, in rows of chunks. */
export function createDatabaseBlobs(store: Pick<Store, 'durable'>): BlobContents {
  return {
    write: writeChunks,
    read: (hash, signal) => readChunks(store, hash, signal),
    // Deleted by cascade with the blob's row.
    delete: async () => {},
  }
}

/** Empty content is stored as one empty chunk. */
async function writeChunks(db: Db, { hash, size, file }: Blob & { file: string }, signal: AbortSignal): Promise<void> {
  const source = await open(file, 'r')
  try {
    await db.deleteFrom('blobChunks').where('hash', '=', hash).execute()
    for (let seq = 0; seq === 0 || seq * chunkBytes < size; seq++) {
      signal.throwIfAborted()
      const length = Math.min(chunkBytes, size - seq * chunkBytes)
      const bytes = Buffer.alloc(length)
      const { bytesRead } = await source.read(bytes, 0, length, seq * chunkBytes)
      if (bytesRead !== length) throw new Error(`The file ${file} shrank while it was being stored.`)
      await db.insertInto('blobChunks').values({ hash, seq, bytes }).execute()
    }
  } finally {
    await source.close()
  }
}

async function* readChunks(
  store: Pick<Store, 'durable'>,
  hash: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const head = await store.durable.selectFrom('blobs').select('size').where('hash', '=', hash).executeTakeFirst()
  if (head === undefined) throw new BlobMissingError(hash)
  for (let seq = 0; seq === 0 || seq * chunkBytes < head.size; seq++) {
    signal.throwIfAborted()
    const row = await store.durable
      .selectFrom('blobChunks')
      .select('bytes')
      .where('hash', '=', hash)
      .where('seq', '=', seq)
      .executeTakeFirst()
    if (row === undefined) throw new BlobMissingError(hash)
    yield row.bytes
  }
}
