import type { Kysely } from 'kysely'
import type { Database, Row } from './schema.ts'

/** A file of a generation as replicas share it. */
export interface IndexBlob {
  generationId: string
  part: 'index' | 'vectors'
  hash: string
  /** Of vectors: the model that made them. */
  model: string | null
}

/** Puts a file in the place of the one before, if there was one. A generation that is gone by now stays gone. */
export async function setIndexBlob(db: Kysely<Database>, blob: IndexBlob): Promise<void> {
  await db
    .insertInto('index_blobs')
    .columns(['generation_id', 'part', 'hash', 'model'])
    .expression((from) =>
      from
        .selectFrom('index_generations')
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
        .columns(['generation_id', 'part'])
        .doUpdateSet((set) => ({ hash: set.ref('excluded.hash'), model: set.ref('excluded.model') })),
    )
    .execute()
}

export async function deleteIndexBlob(
  db: Kysely<Database>,
  generationId: string,
  part: IndexBlob['part'],
): Promise<void> {
  await db.deleteFrom('index_blobs').where('generation_id', '=', generationId).where('part', '=', part).execute()
}

export async function findIndexBlob(
  db: Kysely<Database>,
  generationId: string,
  part: IndexBlob['part'],
): Promise<(IndexBlob & { size: number }) | null> {
  const row = await db
    .selectFrom('index_blobs')
    .innerJoin('blobs', 'blobs.hash', 'index_blobs.hash')
    .selectAll('index_blobs')
    .select('size')
    .where('generation_id', '=', generationId)
    .where('part', '=', part)
    .executeTakeFirst()
  return row === undefined ? null : { ...toIndexBlob(row), size: row.size }
}

function toIndexBlob(row: Row<'index_blobs'>): IndexBlob {
  return { generationId: row.generation_id, part: row.part, hash: row.hash, model: row.model }
}
