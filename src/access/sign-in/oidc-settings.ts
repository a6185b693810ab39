import { isLoopbackHost } from '../../base/loopback-host.ts'
import type { Settings } from '../../config/settings.ts'
import { type Role, roles } from '../../contract/accounts.ts'

/** The provider of OpenID Connect that the operator has set, and whom it lets in. */
export interface OidcOptions {
  /** For people, on the button. */
  name: string
  issuer: URL
  clientId: string
  /** Null for a client without a secret, which PKCE protects alone. */
  clientSecret: string | null
  /** In lower case: who has a confirmed address there becomes a viewer. */
  domains: readonly string[]
  /** The claim that names the groups of a person. */
  roleClaim: string
  /** By the name of the group. */
  roleOfGroup: ReadonlyMap<string, Role>
}

type OidcSettings = Pick<
  Settings,
  'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'oidcName' | 'oidcDomains' | 'oidcRoleClaim' | 'oidcRoles'
>

/** @returns Null without an issuer. @throws {Error} a sentence, for settings that do not go together. */
export function readOidcOptions(settings: OidcSettings): OidcOptions | null {
  if (settings.oidcIssuer === undefined) return null
  const issuer = new URL(settings.oidcIssuer)
  if (issuer.protocol !== 'https:' && !isLoopbackHost(issuer.hostname)) {
    throw new Error(
      'DOCENT_OIDC_ISSUER is not an https address. Over http anybody on the way could sign in as anybody.',
    )
  }
  if (settings.oidcClientId === undefined) {
    throw new Error('DOCENT_OIDC_CLIENT_ID is missing. Register Docent at the provider and set what it gives you.')
  }
  return {
    name: settings.oidcName,
    issuer,
    clientId: settings.oidcClientId,
    clientSecret: settings.oidcClientSecret ?? null,
    domains: splitList(settings.oidcDomains).map((domain) => domain.toLowerCase()),
    roleClaim: settings.oidcRoleClaim,
    roleOfGroup: new Map(splitList(settings.oidcRoles).flatMap(readGroup)),
  }
}

/** The most that any group gives; null when none of them gives anything. */
export function roleOfGroups({ roleOfGroup }: OidcOptions, groups: readonly string[]): Role | null {
  const given = new Set(groups.map((group) => roleOfGroup.get(group)))
  return roles.findLast((role) => given.has(role)) ?? null
}

function readGroup(entry: string): [group: string, role: Role][] {
  const at = entry.lastIndexOf('=')
  const role = roles.find((each) => each === entry.slice(at + 1).trim())
  return role === undefined ? [] : [[entry.slice(0, at).trim(), role]]
}

function splitList(text: string | undefined): string[] {
  const entries = (text ?? '').split(',').map((entry) => entry.trim())
  return entries.filter((entry) => entry !== '')
}
