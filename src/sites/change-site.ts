import { normalizeForgeSource } from '../codehost/forge/forge-location.ts'
import type { SiteUpdate } from '../contract/admin.ts'
import { AppError } from '../contract/app-error.ts'
import { resetWatchers } from '../store/agent/automations.ts'
import { getProject } from '../store/accounts/projects.ts'
import type { Store } from '../store/store.ts'
import { type Site, type SiteChange, type SiteSource, updateSite } from '../store/sites/sites.ts'
import { triggerSourceCheck } from '../store/sites/source-checks.ts'
import { requireOwnRepository } from './sources/builtin-source.ts'
import { refuseUnusedCredential, checkSourceLocation } from './sources/check-source-location.ts'
import { type CreateSiteDeps, requestSync } from './create-site.ts'

/**
 * Updates a site; rebuilds its index if its source changed, or its URL, which identifies its own links.
 *
 * @returns The updated site.
 * @throws {AppError} `conflict` if a host name is taken, `invalid_request` for an impossible source.
 */
export async function changeSite(
  deps: Omit<CreateSiteDeps, 'organizationId'>,
  site: Site,
  update: SiteUpdate,
): Promise<Site> {
  const { name, hostnames, url, credential, settings } = update
  const source = update.source && normalizeForgeSource(update.source)
  refuseUnusedCredential(source ?? site.source, credential)
  if (source !== undefined) await checkOwnSource(deps, site, source)
  const change: SiteChange = {
    ...(name === undefined ? {} : { name }),
    ...(hostnames === undefined ? {} : { hostnames }),
    ...(url === undefined ? {} : { baseUrl: url }),
    ...(source === undefined ? {} : { source }),
    ...(settings === undefined ? {} : { settings: changeSettings(site, settings) }),
    ...keepCredential(site, source),
    ...(credential === undefined
      ? {}
      : { sourceCredentialSealed: credential && deps.secrets.sealCredential(site.id, credential) }),
  }
  const result = await updateSite(deps.store.durable, site.id, change)
  if (!result.written) {
    throw new AppError('conflict', `Another site has the ${result.taken} ${result.value}. Choose another one.`)
  }
  if (source !== undefined) {
    await triggerSourceCheck(deps.store.durable, site.id)
    await resetWatchers(deps.store.durable, { siteIds: [site.id], contextIds: [] }, deps.clock.now())
  }
  const isMoved = url !== undefined && url !== site.baseUrl
  if (source !== undefined || credential !== undefined || isMoved) await requestSync(deps, site.id, 'source-replaced')
  return { ...site, ...change }
}

async function checkOwnSource({ store }: { store: Store }, { projectId }: Site, source: SiteSource): Promise<void> {
  checkSourceLocation(source)
  const project = await getProject(store.durable, projectId)
  await requireOwnRepository(store, source, project?.organizationId ?? '')
}

/** A credential belongs to one address, so changing the address must not send it elsewhere. */
function keepCredential(site: Site, source: SiteSource | undefined): SiteChange {
  return source === undefined || source.location === site.source.location ? {} : { sourceCredentialSealed: null }
}

function changeSettings({ settings }: Site, update: NonNullable<SiteUpdate['settings']>): Site['settings'] {
  const given = Object.entries(update).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return { ...settings, ...Object.fromEntries(given) }
}
