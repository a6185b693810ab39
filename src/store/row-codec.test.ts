import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from './open-store.ts'

async function openDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'docent-rows-'))
  const store = await openStore({ folder })
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const db = store.durable
  await db.insertInto('organizations').values({ id: 'o', name: 'O', createdAt: 1 }).execute()
  const endpoint = { id: 'e', organizationId: 'o', name: 'E', url: 'u', secretSealed: 's', createdAt: 1 }
  await db
    .insertInto('webhookEndpoints')
    .values({ ...endpoint, events: ['job.ended'], isEnabled: true })
    .execute()
  return db
}

it('stores JSON as text and booleans as numbers, under snake_case names, and reads them back', async () => {
  const db = await openDatabase()

  const { rows } = await sql`select events || '' as stored, is_enabled + 0 as number from webhook_endpoints`.execute(db)
  const read = await db.selectFrom('webhookEndpoints').selectAll().where('isEnabled', '=', true).execute()

  expect(rows).toEqual([{ stored: '["job.ended"]', number: 1 }])
  expect(read).toMatchObject([{ organizationId: 'o', events: ['job.ended'], isEnabled: true, disabledReason: null }])
})

it.each([
  ['{', 'The column events does not contain JSON. Restore the database from a backup.'],
  ['{}', 'The column events contains JSON of an unexpected shape. Restore the database from a backup.'],
])('names the column whose JSON is damaged: %s', async (damaged, message) => {
  const db = await openDatabase()
  await sql`update webhook_endpoints set events = ${damaged}`.execute(db)

  await expect(db.selectFrom('webhookEndpoints').selectAll().execute()).rejects.toThrow(message)
})
