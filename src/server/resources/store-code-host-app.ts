import { AppError } from '../../contract/app-error.ts'
import { type CodeHostApp, insertCodeHostApp } from '../../store/hosting/code-host-apps.ts'
import type { ServerDeps } from '../server-deps.ts'

export interface GivenCodeHostApp extends Pick<
  CodeHostApp,
  'organizationId' | 'kind' | 'origin' | 'appId' | 'slug' | 'hasVerifiedCommits'
> {
  /** PEM. */
  privateKey: string
  webhookSecret: string | null
}

/**
 * Stores an App with its secrets sealed.
 *
 * @throws {AppError} `conflict` if the organization already has one on that host.
 */
export async function storeCodeHostApp(
  deps: Pick<ServerDeps, 'ids' | 'appSecrets' | 'clock' | 'store'>,
  { origin, privateKey, webhookSecret, ...named }: GivenCodeHostApp,
): Promise<CodeHostApp> {
  const id = deps.ids.prefixed('app')
  const { appSecrets } = deps
  const made: CodeHostApp = {
    ...named,
    id,
    origin: new URL(origin).origin,
    privateKeySealed: appSecrets.sealPrivateKey(id, privateKey.trim()),
    webhookSecretSealed: webhookSecret ? appSecrets.sealWebhookSecret(id, webhookSecret) : null,
    createdAt: deps.clock.now(),
  }
  if (!(await insertCodeHostApp(deps.store.durable, made))) throw appExists(made.origin)
  return made
}

export function appTarget({ id, slug }: CodeHostApp) {
  return { kind: 'code_host_app', id, name: slug }
}

export function appExists(origin: string): AppError {
  return new AppError('conflict', `There already is an App on ${origin}. Delete it before you store this one.`)
}
