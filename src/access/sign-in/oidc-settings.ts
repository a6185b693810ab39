import { isLoopbackHost } from '../../base/loopback-host.ts'
import type { Settings } from '../../config/settings.ts'
import { type Role, roles } from '../../contract/accounts.ts'

/** The OpenID Connect provider configured by the operator, and whom it admits. */
export interface OidcOptions {
  /** Shown on the sign-in button. */
  name: string
  issuer: URL
  clientId: string
  /** Null for a public client, which relies on PKCE alone. */
  clientSecret: string | null
  /** In lower case. People with a verified address there become viewers. */
  domains: readonly string[]
  /** Claim that lists a person's groups. */
  roleClaim: string
  /** Keyed by group name. */
  roleOfGroup: ReadonlyMap<string, Role>
}

type OidcSettings = Pick<
  Settings,
  'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'oidcName' | 'oidcDomains' | 'oidcRoleClaim' | 'oidcRoles'
>

/** @returns Null without an issuer. @throws {Error} with a readable sentence if the settings contradict each other. */
export function readOidcOptions(settings: OidcSettings): OidcOptions | null {
  if (settings.oidcIssuer === undefined) return null
  const issuer = new URL(settings.oidcIssuer)
  if (issuer.protocol !== 'https:' && !isLoopbackHost(issuer.hostname)) {
    throw new Error(
      'DOCENT_OIDC_ISSUER is not an https address. Over http, anyone on the network path could sign in as any user.',
    )
  }
  if (settings.oidcClientId === undefined) {
    throw new Error(
      'DOCENT_OIDC_CLIENT_ID is missing. Register Docent with the provider and set the client id that it issues.',
    )
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

/** Highest role that any of the groups grants; null if none grants one. */
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
