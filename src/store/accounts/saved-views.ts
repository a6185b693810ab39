import type { Db, Row } from '../schema.ts'

/** A view of the insights that a member saved. */
export type SavedView = Row<'savedViews'>

/** By name. */
export function listSavedViews(db: Db, userId: string): Promise<SavedView[]> {
  return db.selectFrom('savedViews').selectAll().where('userId', '=', userId).orderBy('name').execute()
}

/** Replaces the member's view of the same name. */
export async function saveView(db: Db, view: SavedView): Promise<void> {
  await db
    .insertInto('savedViews')
    .values(view)
    .onConflict((conflict) => conflict.columns(['userId', 'name']).doUpdateSet({ query: view.query }))
    .execute()
}

export async function deleteSavedView(db: Db, { userId, id }: Pick<SavedView, 'userId' | 'id'>): Promise<void> {
  await db.deleteFrom('savedViews').where('userId', '=', userId).where('id', '=', id).execute()
}
