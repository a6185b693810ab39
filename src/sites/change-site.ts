import type { SiteUpdate } from '../contract/admin.ts'
import { AppError } from '../contract/app-error.ts'
import { type Site, type SiteChange, type SiteSource, updateSite } from '../store/sites.ts'
import { checkSourceLocation } from './check-source-location.ts'
import { type CreateSiteDeps, requestSync } from './create-site.ts'

/**
 * Changes a site, and builds its index anew when its source is another one.
 *
 * @returns The site as it is now.
 * @throws {AppError} `conflict` for a host name that is taken, `invalid_request` for a source that cannot be.
 */
export async function changeSite(
  deps: Omit<CreateSiteDeps, 'organizationId'>,
  site: Site,
  update: SiteUpdate,
): Promise<Site> {
  const { name, hostnames, url, source, credential } = update
  if (source !== undefined) checkSourceLocation(source)
  const change: SiteChange = {
    ...(name === undefined ? {} : { name }),
    ...(hostnames === undefined ? {} : { hostnames }),
    ...(url === undefined ? {} : { baseUrl: url }),
    ...(source === undefined ? {} : { source }),
    ...keepCredential(site, source),
    ...(credential === undefined
      ? {}
      : { sourceCredentialSealed: credential && deps.secrets.sealCredential(site.id, credential) }),
  }
  const result = await updateSite(deps.store.durable, site.id, change)
  if (!result.written) {
    throw new AppError('conflict', `Another site has the ${result.taken} ${result.value}. Choose another one.`)
  }
  if (source !== undefined || credential !== undefined) await requestSync(deps, site.id, 'source-replaced')
  return { ...site, ...change }
}

/** A credential is for the place that it was given for, so that changing the address does not send it elsewhere. */
function keepCredential(site: Site, source: SiteSource | undefined): SiteChange {
  return source === undefined || source.location === site.source.location ? {} : { sourceCredentialSealed: null }
}
