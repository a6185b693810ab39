import { listById, type Listing, type ListRequest } from '../listing.ts'
import { firstRow, hasChanged, hasRow } from '../queries.ts'
import type { Db, Row } from '../schema.ts'
import { codeHostTables } from '../tables/code-hosts.ts'
import { columnsOf } from '../tables/define-table.ts'

/** A repository of the built-in host. */
export type Repository = Omit<Row<'repositories'>, 'pullRequestCount'>

const repositoryColumns = columnsOf(codeHostTables.repositories, 'pullRequestCount')

/** @returns False if another repository has the name. */
export function insertRepository(db: Db, repository: Repository): Promise<boolean> {
  return hasRow(
    db
      .insertInto('repositories')
      .values({ ...repository, pullRequestCount: 0 })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('id'),
  )
}

export async function getRepository(db: Db, id: string): Promise<Repository | null> {
  const row = await db.selectFrom('repositories').select(repositoryColumns).where('id', '=', id).executeTakeFirst()
  return row ?? null
}

export function findRepository(db: Db, name: string): Promise<Repository | null> {
  return firstRow(db.selectFrom('repositories').select(repositoryColumns).where('name', '=', name))
}

/** Lists an organization's repositories, or all; by id, ascending; the cursor is an id. */
export function listRepositories(
  db: Db,
  request: ListRequest & { organizationId?: string | undefined },
): Promise<Listing<Repository>> {
  const { organizationId } = request
  let query = db.selectFrom('repositories').select(repositoryColumns)
  if (organizationId !== undefined) query = query.where('organizationId', '=', organizationId)
  return listById(query, request)
}

/** Deletes its pull requests too. @returns Whether it existed. */
export function deleteRepository(db: Db, id: string): Promise<boolean> {
  return hasChanged(db.deleteFrom('repositories').where('id', '=', id))
}
