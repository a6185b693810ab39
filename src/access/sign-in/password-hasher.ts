import { type BinaryLike, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'
import { clientNetwork, findOwnBlock } from '../client-network.ts'

/** Cost parameters of scrypt. Stored with each hash, so that they can be raised without invalidating old hashes. */
export interface PasswordCost {
  /** A power of two. One hash takes 128 * `cost` * `blockSize` bytes of memory. */
  cost: number
  blockSize: number
  parallelization: number
}

/**
 * 32 MiB per hash.
 *
 * @see OWASP Password Storage Cheat Sheet: N=2^15, r=8, p=3 is one of the equally strong choices for scrypt.
 */
export const defaultPasswordCost: PasswordCost = { cost: 2 ** 15, blockSize: 8, parallelization: 3 }

const saltBytes = 16
const hashBytes = 32

/** Limit for scrypt, well above the 128 * N * r = 32 MiB that the cost above needs. */
const memoryBytesMax = 128 * 1024 * 1024

export interface PasswordHasherDeps {
  randomBytes(size: number): Buffer
  /**
   * Limits concurrency, because each hash is slow and needs much memory.
   *
   * @param client Whom the work is for, so that a flood of sign-ins from one place delays only that place.
   */
  run<Result>(client: string, work: () => Promise<Result>): Promise<Result>
  cost: PasswordCost
}

/** Hashes passwords with scrypt, off the event loop. */
export class PasswordHasher {
  readonly #deps: PasswordHasherDeps
  readonly #cost: PasswordCost

  constructor(deps: PasswordHasherDeps) {
    this.#deps = deps
    this.#cost = deps.cost
  }

  /**
   * For members who have proven who they are.
   *
   * @returns `scrypt$N$r$p$salt$hash`, salt and hash in base64url.
   */
  async hash(password: string): Promise<string> {
    const salt = this.#deps.randomBytes(saltBytes)
    const hash = await this.#derive('members', { password, salt, cost: this.#cost })
    const { cost, blockSize, parallelization } = this.#cost
    return ['scrypt', cost, blockSize, parallelization, salt.toString('base64url'), hash.toString('base64url')].join(
      '$',
    )
  }

  /**
   * Whether a password matches a stored hash. Takes as long without a hash, so that timing does not reveal which
   * accounts exist.
   *
   * @param address Of the client.
   * @throws {Error} if this version does not know the stored format.
   */
  async verify(password: string, stored: string | null, address: string): Promise<boolean> {
    const client = findOwnBlock(address) ?? clientNetwork(address)
    if (stored === null) {
      await this.#derive(client, { password, salt: Buffer.alloc(saltBytes), cost: this.#cost })
      return false
    }
    const { cost, salt, hash } = parseStored(stored)
    return timingSafeEqual(await this.#derive(client, { password, salt, cost }), hash)
  }

  /** Whether a stored hash has other cost parameters than new ones. */
  isOutdated(stored: string): boolean {
    const { cost } = parseStored(stored)
    return (
      cost.cost !== this.#cost.cost ||
      cost.blockSize !== this.#cost.blockSize ||
      cost.parallelization !== this.#cost.parallelization
    )
  }

  #derive(
    client: string,
    { password, salt, cost }: { password: string; salt: Buffer; cost: PasswordCost },
  ): Promise<Buffer> {
    // Keyboards of different systems encode the same character in different ways.
    const text = password.normalize('NFKC')
    const options = { ...cost, maxmem: memoryBytesMax }
    return this.#deps.run(client, () => deriveKey(text, salt, options))
  }
}

function deriveKey(password: string, salt: BinaryLike, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, hashBytes, options, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}

function parseStored(stored: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } {
  const parts = /^scrypt\$(\d{1,9})\$(\d{1,4})\$(\d{1,4})\$([\w-]{22})\$([\w-]{43})$/.exec(stored)
  if (parts === null) throw new Error('A stored password hash has an unknown format.')
  const [, cost, blockSize, parallelization, salt = '', hash = ''] = parts
  return {
    cost: { cost: Number(cost), blockSize: Number(blockSize), parallelization: Number(parallelization) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  }
}
