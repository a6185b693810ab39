import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** A secret in the row of an entity. `id` is what it was sealed for. */
export interface SealedRow {
  kind: 'identity' | 'source-credential' | 'context-credential' | 'app-key' | 'app-webhook-secret' | 'endpoint-secret'
  id: string
  /** What people call the entity. */
  name: string
  sealed: string
}

const rowsMax = 1_000

/** Every secret that is stored in a row of its own entity, at most 1,000 of each kind. */
export async function listSealedRows(db: Kysely<Database>): Promise<SealedRow[]> {
  const sites = await db
    .selectFrom('sites')
    .select(['id', 'slug as name', 'identity_secret_sealed', 'source_credential_sealed'])
    .limit(rowsMax)
    .execute()
  const contexts = await db
    .selectFrom('context_repositories')
    .select(['id', 'name', 'credential_sealed'])
    .limit(rowsMax)
    .execute()
  const apps = await db
    .selectFrom('code_host_apps')
    .select(['id', 'slug as name', 'private_key_sealed', 'webhook_secret_sealed'])
    .limit(rowsMax)
    .execute()
  const endpoints = await db
    .selectFrom('webhook_endpoints')
    .select(['id', 'name', 'secret_sealed'])
    .limit(rowsMax)
    .execute()
  const toRow =
    (kind: SealedRow['kind']) =>
    ({ id, name, sealed }: Omit<SealedRow, 'kind' | 'sealed'> & { sealed: string | null }): SealedRow[] =>
      sealed === null ? [] : [{ kind, id, name, sealed }]
  return [
    ...sites.flatMap((site) => toRow('identity')({ ...site, sealed: site.identity_secret_sealed })),
    ...sites.flatMap((site) => toRow('source-credential')({ ...site, sealed: site.source_credential_sealed })),
    ...contexts.flatMap((context) => toRow('context-credential')({ ...context, sealed: context.credential_sealed })),
    ...apps.flatMap((app) => toRow('app-key')({ ...app, sealed: app.private_key_sealed })),
    ...apps.flatMap((app) => toRow('app-webhook-secret')({ ...app, sealed: app.webhook_secret_sealed })),
    ...endpoints.flatMap((endpoint) => toRow('endpoint-secret')({ ...endpoint, sealed: endpoint.secret_sealed })),
  ]
}
