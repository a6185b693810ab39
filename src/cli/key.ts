import { listAll } from '../client/list-all.ts'
import type { KeyCreate, KeyResource, KeyUpdate } from '../contract/admin.ts'
import { AppError } from '../contract/app-error.ts'
import { withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'

/** `docent key create`. */
export async function createKey(output: Output, key: KeyCreate): Promise<void> {
  const created = await withClient((client) => client.createKey({ body: key }))
  output.result(created, () => `${created.secret}\n\nThis is ${created.id}. The key is shown this once: keep it now.`)
}

/** `docent key list`: all of them, newest first. */
export async function listKeys(output: Output): Promise<void> {
  const keys = await withClient((client) => listAll((cursor) => client.listKeys({ query: { cursor } })))
  output.result(keys, () =>
    formatTable(['ID', 'KIND', 'FOR', 'NAME', 'ENDS IN', 'STATE', 'LAST USED'], keys.map(toRow)),
  )
}

/** `docent key change`. */
export async function changeKey(output: Output, id: string, change: KeyUpdate): Promise<void> {
  if (Object.values(change).every((value) => value === undefined)) {
    throw new AppError(
      'invalid_request',
      'Name at least one option to change, such as --name. Run with --help to list them.',
    )
  }
  const key = await withClient((client) => client.updateKey({ params: { id }, body: change }))
  output.result(key, () => `${key.id} (${key.name}) was changed.`)
}

/** `docent key revoke`. */
export async function revokeKey(output: Output, id: string): Promise<void> {
  const key = await withClient((client) => client.revokeKey({ params: { id } }))
  output.result(key, () => `${key.id} (${key.name}) is revoked.`)
}

function toRow(key: KeyResource): string[] {
  return [key.id, key.kind, key.purpose ?? 'server', key.name, key.hint, describeState(key), key.lastUsedAt ?? 'never']
}

function describeState({ revokedAt, expiresAt }: KeyResource): string {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt === null) return 'active'
  return Date.parse(expiresAt) <= Date.now() ? 'expired' : `until ${expiresAt.slice(0, 10)}`
}
