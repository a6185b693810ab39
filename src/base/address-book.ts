import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isGlobalAddress } from './global-address.ts'

export interface ResolvedAddress {
  address: string
  family: 4 | 6
}

/** Asks for all addresses of a host name. */
export type ResolveHost = (host: string) => Promise<readonly ResolvedAddress[]>

/** A host may not be reached. Says nothing about what is there, so that nobody can look around in a network by it. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError'

  constructor(host: string) {
    super(`${host} may not be reached from here. Name a public host, or set DOCENT_ALLOW_PRIVATE_ADDRESSES=true.`)
  }
}

/** The system's resolver. */
export const resolveBySystem: ResolveHost = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/**
 * The addresses of hosts, each looked up once in the life of the book: the address that is checked is the one that is dialled, whatever
 * a name server answers a moment later.
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
   * @param host As `URL.hostname` gives it.
   * @throws {AddressRefusedError} when no address of the host is global, and when it has none.
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
