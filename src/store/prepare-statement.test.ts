import { expect, it } from 'vitest'
import { SqliteAdapter, DummyDriver, Kysely, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { prepareStatement } from './prepare-statement.ts'
import type { Database } from './schema.ts'

const db = new Kysely<Database>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (one) => new SqliteIntrospector(one),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

it('is built once, and refuses a value that would be the same in every run', async () => {
  let built = 0
  const find = prepareStatement(['subject'], (one, { subject }) => {
    built++
    return one.selectFrom('counters').select('count').where('subject', '=', subject)
  })
  const findHour = prepareStatement(['subject'], (one, { subject }) =>
    one.selectFrom('counters').select('count').where('subject', '=', subject).where('name', '=', 'hour'),
  )

  await find(db, { subject: 'a' })
  await find(db, { subject: 'b' })

  expect(built).toBe(1)
  await expect(findHour(db, { subject: 'a' })).rejects.toThrow('has the fixed value hour')
})
