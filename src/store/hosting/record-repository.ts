import type { BlobContents } from '../blobs/blobs.ts'
import { insertRepositoryState } from './repository-states.ts'
import type { Db } from '../schema.ts'

export interface RecordRepositoryInput {
  id: string
  head: string
  refs: ReadonlyMap<string, string>
  shallow: string | null
  /** Pack files on this machine that contain its objects. */
  packs: readonly { file: string; hash: string; size: number }[]
  contents: Pick<BlobContents, 'write'>
  /** UTC milliseconds. */
  now: number
}

/**
 * Stores a repository with its packs, within the transaction that writes its row.
 *
 * Its version is the current time: a replica may have a copy of the same repository from before, whose version is a
 * small change count, and must not mistake that copy for this one.
 */
export async function recordRepository(
  transaction: Db,
  { id, head, refs, shallow, packs, contents, now }: RecordRepositoryInput,
  signal: AbortSignal,
): Promise<void> {
  for (const { hash, size, file } of packs) {
    const inserted = await transaction
      .insertInto('blobs')
      .values({ hash, size, touchedAt: now })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .returning('hash')
      .executeTakeFirst()
    if (inserted !== undefined) await contents.write(transaction, { hash, size, file }, signal)
  }
  const state = { repositoryId: id, version: now, head, refs, shallow, packs: packs.map(({ hash }) => hash) }
  await insertRepositoryState(transaction, state)
}
