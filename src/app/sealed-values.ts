import { randomBytes } from 'node:crypto'
import { openStoredSetting, storedSettingRow } from '../assistant/model-settings.ts'
import { CodeHostAppSecrets } from '../codehost/code-host-app-secrets.ts'
import { storedSettingNames } from '../contract/model-settings.ts'
import { BotSecrets } from '../bots/bot-secrets.ts'
import { SiteSecrets } from '../sites/site-secrets.ts'
import { listInstallationValues } from '../store/installation.ts'
import { SealedSecretError } from '../store/sealed/sealed-secret.ts'
import { listSealedRows, type SealedRow } from '../store/sealed/sealed-rows.ts'
import type { Store } from '../store/store.ts'
import { WebhookSecrets } from '../webhooks/webhook-secrets.ts'
import { deriveSecret } from './data-folder.ts'

/** A stored secret and how to open it. */
export interface SealedValue {
  /** Completes the sentence "… cannot be read". */
  what: string
  /** @throws {SealedSecretError} */
  open(): unknown
}

/** All stored secrets, with keys derived from this master secret. */
export async function listSealedValues({ durable }: Pick<Store, 'durable'>, master: Buffer): Promise<SealedValue[]> {
  const settingsKey = deriveSecret(master, 'settings')
  const settings = await listInstallationValues(durable, storedSettingNames.map(storedSettingRow))
  const values = storedSettingNames.flatMap((name) => {
    const sealed = settings.get(storedSettingRow(name))
    if (sealed === undefined) return []
    return [{ what: `The stored setting ${name}`, open: () => openStoredSetting(settingsKey, name, sealed) }]
  })
  const open = createOpeners(master)
  const rows = await listSealedRows(durable)
  return [...values, ...rows.map((row) => ({ what: describeRow(row), open: () => open[row.kind](row) }))]
}

export function canOpen({ open }: SealedValue): boolean {
  try {
    open()
    return true
  } catch (error) {
    if (error instanceof SealedSecretError) return false
    throw error
  }
}

/** A sentence for each stored secret that does not open, with the remedy. */
export async function listSealedFaults(store: Pick<Store, 'durable'>, master: Buffer): Promise<string[]> {
  const values = await listSealedValues(store, master)
  return values
    .filter((value) => !canOpen(value))
    .map(
      ({ what }) =>
        `${what} cannot be read with this secret key. Set it again, or set DOCENT_SECRET_KEY to the key it was stored with.`,
    )
}

function createOpeners(master: Buffer): Record<SealedRow['kind'], (row: SealedRow) => unknown> {
  const sites = new SiteSecrets(deriveSecret(master, 'sites'))
  const apps = new CodeHostAppSecrets(deriveSecret(master, 'code-host-apps'))
  const endpoints = new WebhookSecrets(deriveSecret(master, 'webhook-endpoints'), randomBytes)
  const bots = new BotSecrets(deriveSecret(master, 'bots'))
  return {
    identity: ({ id, sealed }) => sites.openIdentity(id, sealed),
    'source-credential': ({ id, sealed }) => sites.openCredential(id, sealed),
    'context-credential': ({ id, sealed }) => sites.openContextCredential(id, sealed),
    'app-key': ({ id, sealed }) => apps.openPrivateKey({ id, privateKeySealed: sealed }),
    'app-webhook-secret': ({ id, sealed }) => apps.openWebhookSecret({ id, webhookSecretSealed: sealed }),
    'endpoint-secret': ({ id, sealed }) => endpoints.openKey(id, sealed),
    'bot-credentials': ({ id, sealed }) => bots.open({ id, credentialsSealed: sealed }),
  }
}

function describeRow({ kind, name }: SealedRow): string {
  const names: Readonly<Record<SealedRow['kind'], string>> = {
    identity: `The identity secret of the site ${name}`,
    'source-credential': `The credential of the site ${name}`,
    'context-credential': `The credential of the context repository ${name}`,
    'app-key': `The private key of the App ${name}`,
    'app-webhook-secret': `The webhook secret of the App ${name}`,
    'endpoint-secret': `The secret of the webhook ${name}`,
    'bot-credentials': `The token of the ${name} bot`,
  }
  return names[kind]
}
