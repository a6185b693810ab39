import type { Db } from '../schema.ts'

/** A sealed secret in an entity's row. `id` is part of its sealing context. */
export interface SealedRow {
  kind:
    | 'identity'
    | 'source-credential'
    | 'context-credential'
    | 'app-key'
    | 'app-webhook-secret'
    | 'endpoint-secret'
    | 'bot-credentials'
  id: string
  /** Display name of the entity. */
  name: string
  sealed: string
}

const rowsMax = 1_000

/** Lists all secrets stored in entity rows, at most 1,000 of each kind. */
export async function listSealedRows(db: Db): Promise<SealedRow[]> {
  const sites = await db
    .selectFrom('sites')
    .select(['id', 'slug as name', 'identitySecretSealed', 'sourceCredentialSealed'])
    .limit(rowsMax)
    .execute()
  const contexts = await db
    .selectFrom('contextRepositories')
    .select(['id', 'name', 'credentialSealed'])
    .limit(rowsMax)
    .execute()
  const apps = await db
    .selectFrom('codeHostApps')
    .select(['id', 'slug as name', 'privateKeySealed', 'webhookSecretSealed'])
    .limit(rowsMax)
    .execute()
  const endpoints = await db
    .selectFrom('webhookEndpoints')
    .select(['id', 'name', 'secretSealed'])
    .limit(rowsMax)
    .execute()
  const bots = await db
    .selectFrom('bots')
    .select(['id', 'platform as name', 'credentialsSealed'])
    .limit(rowsMax)
    .execute()
  const toRow =
    (kind: SealedRow['kind']) =>
    ({ id, name, sealed }: Omit<SealedRow, 'kind' | 'sealed'> & { sealed: string | null }): SealedRow[] =>
      sealed === null ? [] : [{ kind, id, name, sealed }]
  return [
    ...sites.flatMap((site) => toRow('identity')({ ...site, sealed: site.identitySecretSealed })),
    ...sites.flatMap((site) => toRow('source-credential')({ ...site, sealed: site.sourceCredentialSealed })),
    ...contexts.flatMap((context) => toRow('context-credential')({ ...context, sealed: context.credentialSealed })),
    ...apps.flatMap((app) => toRow('app-key')({ ...app, sealed: app.privateKeySealed })),
    ...apps.flatMap((app) => toRow('app-webhook-secret')({ ...app, sealed: app.webhookSecretSealed })),
    ...endpoints.flatMap((endpoint) => toRow('endpoint-secret')({ ...endpoint, sealed: endpoint.secretSealed })),
    ...bots.flatMap((bot) => toRow('bot-credentials')({ ...bot, sealed: bot.credentialsSealed })),
  ]
}
