import { listAll } from '../client/list-all.ts'
import type { KeyCreate, KeyResource, KeyUpdate } from '../contract/admin.ts'
import { AppError } from '../contract/app-error.ts'
import { withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'

export async function createKey(output: Output, key: KeyCreate): Promise<void> {
  const created = await withClient((client) => client.createKey({ body: key }))
  output.result(created, () => `${created.secret}\n\nCreated ${created.id}. The key is shown only once: store it now.`)
}

export async function listKeys(output: Output): Promise<void> {
  const keys = await withClient((client) => listAll((cursor) => client.listKeys({ query: { cursor } })))
  output.result(keys, () =>
    formatTable(['ID', 'KIND', 'FOR', 'NAME', 'ENDS WITH', 'STATE', 'LAST USED'], keys.map(toRow)),
  )
}

export async function changeKey(output: Output, id: string, change: KeyUpdate): Promise<void> {
  if (Object.values(change).every((value) => value === undefined)) {
    throw new AppError(
      'invalid_request',
      'Give at least one option to change, such as --name. Run with --help to list them.',
    )
  }
  const key = await withClient((client) => client.updateKey({ params: { id }, body: change }))
  output.result(key, () => `Changed ${key.id} (${key.name}).`)
}

export async function revokeKey(output: Output, id: string): Promise<void> {
  const key = await withClient((client) => client.revokeKey({ params: { id } }))
  output.result(key, () => `Revoked ${key.id} (${key.name}).`)
}

function toRow(key: KeyResource): string[] {
  return [key.id, key.kind, key.purpose ?? 'server', key.name, key.hint, describeState(key), key.lastUsedAt ?? 'never']
}

function describeState({ revokedAt, expiresAt }: KeyResource): string {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt === null) return 'active'
  return Date.parse(expiresAt) <= Date.now() ? 'expired' : `until ${expiresAt.slice(0, 10)}`
}
