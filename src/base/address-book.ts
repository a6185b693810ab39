import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isGlobalAddress } from './global-address.ts'

export interface ResolvedAddress {
  address: string
  family: 4 | 6
}

/** Resolves a host name to all of its addresses. */
export type ResolveHost = (host: string) => Promise<readonly ResolvedAddress[]>

/** The host may not be reached. The message reveals nothing about what is there, so that it cannot be used to scan a network. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError'

  constructor(host: string) {
    super(`${host} may not be reached from here. Name a public host, or set DOCENT_ALLOW_PRIVATE_ADDRESSES=true.`)
  }
}

export const resolveBySystem: ResolveHost = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/**
 * Resolves each host once and remembers the result, so that the address that was checked is the address that is dialled
 * (no DNS rebinding).
 */
export class AddressBook {
  readonly #resolve: ResolveHost
  readonly #allowsPrivate: boolean
  readonly #known = new Map<string, Promise<ResolvedAddress>>()

  constructor(resolve: ResolveHost, allowsPrivate: boolean) {
    this.#resolve = resolve
    this.#allowsPrivate = allowsPrivate
  }

  /**
   * @param host As returned by `URL.hostname`.
   * @throws {AddressRefusedError} when the host has no public address.
   */
  find(host: string): Promise<ResolvedAddress> {
    const known = this.#known.get(host) ?? this.#find(host)
    this.#known.set(host, known)
    return known
  }

  async #find(host: string): Promise<ResolvedAddress> {
    const bare = host.replace(/^\[|\]$/g, '')
    const family = isIP(bare)
    const found =
      family === 0
        ? await this.#resolve(bare).catch(() => [])
        : [{ address: bare, family: family === 6 ? (6 as const) : (4 as const) }]
    const usable = found.find(({ address }) => this.#allowsPrivate || isGlobalAddress(address))
    if (usable === undefined) throw new AddressRefusedError(host)
    return usable
  }
}
