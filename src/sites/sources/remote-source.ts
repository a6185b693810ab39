import { isRemoteLocation } from '../../git/remotes/remote-url.ts'
import { cloneAddress, readForgeLocation } from '../../codehost/forge/forge-location.ts'
import type { MirrorOwner, RemoteSource } from '../../git/remotes/mirrors.ts'
import type { Site } from '../../store/sites/sites.ts'
import type { Forges } from '../forges.ts'
import type { SiteSecrets } from '../site-secrets.ts'

export interface RemoteSourceDeps {
  secrets: SiteSecrets
  forges: Forges
}

/**
 * How to read a site's remote repository; null for a source on this machine.
 *
 * @throws {ForgeError} if its App cannot create a token.
 */
export async function openRemoteSource(
  { secrets, forges }: RemoteSourceDeps,
  site: Site,
  signal: AbortSignal,
): Promise<RemoteSource | null> {
  const { id, source, sourceCredentialSealed } = site
  if (source.kind !== 'git') return forges.openRemoteSource(site, signal)
  if (!isRemoteLocation(source.location)) return null
  const credential = sourceCredentialSealed === null ? null : secrets.openCredential(id, sourceCredentialSealed)
  return { location: source.location, ref: source.ref, credential, reader: id }
}

/** Every mirror that a site may be read from; an App opens a repository without a stored credential. */
export function mirrorOwnersOf({ id, source, sourceCredentialSealed }: Site): MirrorOwner[] {
  const place = readForgeLocation(source)
  if (place !== null) {
    const location = cloneAddress(place)
    return [true, false].map((hasCredential) => ({ location, hasCredential, reader: id }))
  }
  if (source.kind !== 'git' || !isRemoteLocation(source.location)) return []
  return [{ location: source.location, hasCredential: sourceCredentialSealed !== null, reader: id }]
}
