import { DummyDriver, Kysely, sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { describe, expect, it } from 'vitest'
import { nameStatement } from './observe-statements.ts'
import type { Database } from './schema.ts'

const db = new Kysely<Database>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

describe('nameStatement', () => {
  it.each([
    ['select', 'sites', db.selectFrom('sites').select('id').where('slug', '=', 'secret')],
    ['select', 'agent_jobs', db.selectFrom('agentJobs as job').select('job.id')],
    ['update', 'index_runs', db.updateTable('indexRuns').set({ state: 'failed' })],
    ['delete', 'counters', db.deleteFrom('counters').where('name', '=', 'secret')],
    ['insert', 'counters', db.insertInto('counters').values({ name: 'n', subject: 's', windowStart: 0, count: 1 })],
  ])('names a %s of %s by its operation and its table', (operation, table, query) => {
    expect(nameStatement(query.compile())).toEqual({ operation, table })
  })

  it('reports only the operation of raw SQL', () => {
    const written = sql`vacuum into 'secret'`.compile(db)

    expect(nameStatement(written)).toEqual({ operation: 'other', table: null })
  })
})
