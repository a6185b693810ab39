import type { DeleteResult, UpdateResult } from 'kysely'
import type { Db } from './schema.ts'

/** Ids of an organization's sites. */
export function selectSiteIds(db: Db, organizationId: string) {
  return db
    .selectFrom('sites')
    .innerJoin('projects', 'projects.id', 'sites.projectId')
    .select('sites.id')
    .where('projects.organizationId', '=', organizationId)
}

interface RowQuery<Row> {
  executeTakeFirst(): Promise<Row | undefined>
}

export async function firstRow<Row>(query: RowQuery<Row>): Promise<Row | null> {
  return (await query.executeTakeFirst()) ?? null
}

export async function hasRow(query: RowQuery<unknown>): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined
}

/** Whether an update or a deletion found a row. */
export async function hasChanged(query: RowQuery<UpdateResult | DeleteResult>): Promise<boolean> {
  const result = await query.executeTakeFirst()
  return result !== undefined && ('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows) > 0n
}
