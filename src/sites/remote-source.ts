import { isRemoteLocation } from '../git/remote-url.ts'
import type { RemoteSource } from '../git/mirrors.ts'
import type { Site } from '../store/sites.ts'
import type { SiteSecrets } from './site-secrets.ts'

/** What a site's repository on the network is read with; null for a source on this machine. */
export function remoteSourceOf(secrets: SiteSecrets, site: Site): RemoteSource | null {
  const { id, source, sourceCredentialSealed } = site
  if (source.kind !== 'git' || !isRemoteLocation(source.location)) return null
  const credential = sourceCredentialSealed === null ? null : secrets.openCredential(id, sourceCredentialSealed)
  return { location: source.location, ref: source.ref, credential, reader: id }
}
