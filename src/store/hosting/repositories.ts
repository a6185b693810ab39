import type { Kysely } from 'kysely'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import type { Database, Row } from '../schema.ts'
import { codeHostTables } from '../tables/code-hosts.ts'
import { columnsOf } from '../tables/define-table.ts'

/** A repository of the built-in host. */
export type Repository = Omit<Row<'repositories'>, 'pullRequestCount'>

const repositoryColumns = columnsOf(codeHostTables.repositories, 'pullRequestCount')

/** @returns False if another repository has the name. */
export async function insertRepository(db: Kysely<Database>, repository: Repository): Promise<boolean> {
  const row = await db
    .insertInto('repositories')
    .values({ ...repository, pullRequestCount: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function getRepository(db: Kysely<Database>, id: string): Promise<Repository | null> {
  const row = await db.selectFrom('repositories').select(repositoryColumns).where('id', '=', id).executeTakeFirst()
  return row ?? null
}

export async function findRepository(db: Kysely<Database>, name: string): Promise<Repository | null> {
  const row = await db.selectFrom('repositories').select(repositoryColumns).where('name', '=', name).executeTakeFirst()
  return row ?? null
}

/** Lists an organization's repositories, or all; by id, ascending; the cursor is an id. */
export function listRepositories(
  db: Kysely<Database>,
  request: ListRequest & { organizationId?: string | undefined },
): Promise<Listing<Repository>> {
  const { organizationId } = request
  let query = db.selectFrom('repositories').select(repositoryColumns)
  if (organizationId !== undefined) query = query.where('organizationId', '=', organizationId)
  return listById(query, request)
}

/** Deletes its pull requests too. @returns Whether it existed. */
export async function deleteRepository(db: Kysely<Database>, id: string): Promise<boolean> {
  const result = await db.deleteFrom('repositories').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}
