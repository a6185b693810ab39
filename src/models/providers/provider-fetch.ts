import { bindToOrigin } from '../../base/bind-to-origin.ts'
import { createGuardedFetch } from '../../base/guarded-fetch.ts'
import { httpFetch } from '../../base/http-fetch.ts'
import { accountSettingNames, describeAccountSetting } from '../../contract/provider-accounts.ts'
import { isOnLocalServer, type LocalServer } from '../find-local-models.ts'
import type { ProviderAccess } from './provider-adapters.ts'

/** Redirects followed within the origin of a configured provider. */
const redirectsMax = 3

/**
 * Calls a provider whose address the operator configured, which may be in a private network. Redirects to another
 * origin are rejected: the request carries a key and a prompt.
 */
export const fetchConfigured: typeof fetch = bindToOrigin(httpFetch, redirectsMax)

/**
 * Calls a provider whose address was stored through the API or the dashboard: public addresses and those local servers
 * only, unless the operator allows private ones, and no redirects.
 */
export function createStoredAddressFetch(
  allowsPrivateAddresses: boolean,
  localServers: readonly LocalServer[],
): typeof fetch {
  const guarded = bindToOrigin(createGuardedFetch({ allowsPrivateAddresses }), 0)
  const local = bindToOrigin(createGuardedFetch({ allowsPrivateAddresses: true }), 0)
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    return (isOnLocalServer(localServers, url) ? local : guarded)(input, init)
  }
}

/** Shorter values would hide words. */
const secretCharsMin = 6

/** Removes keys and secret headers from error replies: some servers repeat them, and errors are logged and shown. */
export function hideSecrets<Access extends ProviderAccess>(access: Access): Access {
  const secrets = listSecrets(access).filter(({ length }) => length >= secretCharsMin)
  const send: typeof fetch = async (input, init) => {
    const reply = await access.fetch(input, init)
    if (reply.ok || secrets.length === 0) return reply
    const said = secrets.reduce((text, secret) => text.replaceAll(secret, '(hidden)'), await reply.text())
    return new Response(said, { status: reply.status, statusText: reply.statusText, headers: reply.headers })
  }
  return { ...access, fetch: send }
}

function listSecrets({ apiKey, headers = {}, account }: ProviderAccess): string[] {
  const secretSettings = accountSettingNames.filter((name) => describeAccountSetting(name).isSecret === true)
  const ofAccount = secretSettings.flatMap((name) => account[name] ?? [])
  return [apiKey, ...Object.values(headers), ...ofAccount]
}
