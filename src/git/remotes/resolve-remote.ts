import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { AppError } from '../../contract/app-error.ts'
import { isGlobalAddress } from '../../base/global-address.ts'
import { parseRemoteUrl } from './remote-url.ts'
import type { GitRemote } from '../run-git.ts'

/** Credential for a repository. Forges take a token as the password and mostly ignore the user name. */
export interface GitCredential {
  username: string
  token: string
}

export interface ResolveRemoteDeps {
  /** Whether repositories on this machine and in private networks may be read. */
  allowsPrivateAddresses: boolean
  /** Resolves a host name to all its addresses; the system's resolver by default. */
  lookUp?: (hostname: string) => Promise<string[]>
}

/**
 * Resolves a repository's host once and pins the result, so that the address that was checked is the address that git
 * dials (no DNS rebinding).
 *
 * @throws {AppError} `invalid_request` for a malformed address, an unknown host, or a non-public address unless those
 *   are allowed.
 */
export async function resolveRemote(
  deps: ResolveRemoteDeps,
  location: string,
  credential: GitCredential | null,
): Promise<GitRemote> {
  const url = parseRemoteUrl(location)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isAddress = ipaddr.isValid(host)
  const addresses = isAddress ? [host] : await findAddresses(deps, host)
  const isRefused = !deps.allowsPrivateAddresses && !addresses.every(isGlobalAddress)
  if (isRefused) {
    throw new AppError(
      'invalid_request',
      `The host ${host} is in a private network. Repositories there can be read only with DOCENT_ALLOW_PRIVATE_ADDRESSES=true.`,
    )
  }
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const dialled = addresses.map((address) => (address.includes(':') ? `[${address}]` : address)).join(',')
  return { url, dial: isAddress ? null : `${host}:${port}:${dialled}`, authorization: encodeCredential(credential) }
}

async function findAddresses({ lookUp = lookUpAll }: ResolveRemoteDeps, host: string): Promise<string[]> {
  const addresses = await lookUp(host).catch(() => [])
  // A zone names a network interface of this machine, which no name server may choose.
  const usable = addresses.filter((address) => ipaddr.isValid(address) && !address.includes('%'))
  if (usable.length > 0) return usable
  throw new AppError('invalid_request', `The host ${host} was not found. Check the address of the repository.`)
}

async function lookUpAll(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}

function encodeCredential(credential: GitCredential | null): string | null {
  if (credential === null) return null
  return `Basic ${Buffer.from(`${credential.username}:${credential.token}`).toString('base64')}`
}
