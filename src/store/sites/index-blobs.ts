import { firstRow } from '../queries.ts'
import type { Db, Row } from '../schema.ts'

/** A file of an index generation in the shared blob storage. */
export type IndexBlob = Row<'indexBlobs'>

/** Stores or replaces a file. Does nothing if the generation has been deleted. */
export async function setIndexBlob(db: Db, blob: IndexBlob): Promise<void> {
  await db
    .insertInto('indexBlobs')
    .columns(['generationId', 'part', 'hash', 'model'])
    .expression((from) =>
      from
        .selectFrom('indexGenerations')
        .select((select) => [
          'id',
          select.val(blob.part).as('part'),
          select.val(blob.hash).as('hash'),
          select.val(blob.model).as('model'),
        ])
        .where('id', '=', blob.generationId),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['generationId', 'part'])
        .doUpdateSet((set) => ({ hash: set.ref('excluded.hash'), model: set.ref('excluded.model') })),
    )
    .execute()
}

export async function deleteIndexBlob(db: Db, generationId: string, part: IndexBlob['part']): Promise<void> {
  await db.deleteFrom('indexBlobs').where('generationId', '=', generationId).where('part', '=', part).execute()
}

export function findIndexBlob(
  db: Db,
  generationId: string,
  part: IndexBlob['part'],
): Promise<(IndexBlob & { size: number }) | null> {
  return firstRow(
    db
      .selectFrom('indexBlobs')
      .innerJoin('blobs', 'blobs.hash', 'indexBlobs.hash')
      .selectAll('indexBlobs')
      .select('size')
      .where('generationId', '=', generationId)
      .where('part', '=', part),
  )
}
