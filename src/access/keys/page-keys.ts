import { createHmac } from 'node:crypto'
import { isRecent } from '../../base/is-recent.ts'
import { AppError } from '../../contract/app-error.ts'
import { type ApiKey, listPublicKeys, updateKeyHash } from '../../store/accounts/keys.ts'
import { getProject } from '../../store/accounts/projects.ts'
import type { Row } from '../../store/schema.ts'
import { createKey, type CreateKeyDeps, type NewKey } from './create-key.ts'
import { hashKeySecret, writeKeySecret } from './key-secret.ts'
import { isAllowedOrigin } from './origins.ts'

export interface PageKeysDeps extends CreateKeyDeps {
  /** The same in every process of the installation. */
  signingKey: Buffer
}

interface KeyedSite {
  id: string
  projectId: string
}

/** How long another process's revocation may go unnoticed. */
const believedMs = 3_000

interface PublicKey {
  secret: string
  origins: string[]
  isOfPages: boolean
}

/**
 * The public keys of each site, which are given to its pages: the one of its served pages, made when it is first needed
 * and never again once an owner has revoked it, and those that owners made for their websites.
 *
 * Their secrets are derived from their ids, so that they can be written into pages although only hashes are stored.
 */
export class PageKeys {
  readonly #deps: PageKeysDeps
  readonly #known = new Map<string, { at: number; keys: Promise<PublicKey[]> }>()

  constructor(deps: PageKeysDeps) {
    this.#deps = deps
  }

  /** @returns The secret for served pages; null if an owner revoked the key or it has expired. */
  async find(site: KeyedSite): Promise<string | null> {
    const keys = await this.#list(site)
    return keys.find(({ isOfPages }) => isOfPages)?.secret ?? null
  }

  /** @returns The secret of a key that lists the origin; null if there is none. */
  async findFor(site: KeyedSite, origin: string): Promise<string | null> {
    const keys = await this.#list(site)
    return keys.find(({ origins }) => isAllowedOrigin(origin, origins))?.secret ?? null
  }

  /** Makes changes of keys take effect with the next request. */
  forget(): void {
    this.#known.clear()
  }

  /**
   * @param input Of a public key.
   * @throws {AppError} as `createKey` does; `conflict` if the site has one for its served pages and this is another.
   */
  create(input: NewKey): Promise<{ key: ApiKey; secret: string }> {
    const id = this.#deps.ids.prefixed('key')
    return createKey(this.#deps, { ...input, id, secret: this.#secretOf(id) })
  }

  #list(site: KeyedSite): Promise<PublicKey[]> {
    const at = this.#deps.clock.now()
    const known = this.#known.get(site.id)
    if (known !== undefined && isRecent(known.at, believedMs, at)) return known.keys
    const keys = this.#read(site)
    this.#known.set(site.id, { at, keys })
    keys.catch(() => this.#known.delete(site.id))
    return keys
  }

  async #read(site: KeyedSite): Promise<PublicKey[]> {
    const { store, clock } = this.#deps
    const stored = await listPublicKeys(store.durable, site.id)
    const isMade = stored.some(({ purpose }) => purpose === 'pages')
    const rows = isMade ? stored : await this.#createFirst(site)
    const usable = rows.filter(
      ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > clock.now()),
    )
    const keys = await Promise.all(usable.map((row) => this.#open(row)))
    return keys.filter((key) => key !== null)
  }

  /** Null if the key is not to be handed out, because it shows restricted pages or its secret is not ours. */
  async #open({ id, hash: stored, purpose, origins, groups }: Row<'keys'>): Promise<PublicKey | null> {
    if (groups.length > 0) return null
    const secret = this.#secretOf(id)
    const hash = hashKeySecret(secret)
    const isOfPages = purpose === 'pages'
    if (hash !== stored && !isOfPages) return null
    // After a restore with another secret key of the installation.
    if (hash !== stored) await updateKeyHash(this.#deps.store.durable, id, { hash, hint: secret.slice(-4) })
    return { secret, origins, isOfPages }
  }

  async #createFirst({ id: siteId, projectId }: KeyedSite): Promise<Row<'keys'>[]> {
    const { durable } = this.#deps.store
    const project = await getProject(durable, projectId)
    if (project === null) return []
    const { organizationId } = project
    const input: NewKey = { kind: 'assistant', purpose: 'pages', name: 'Served pages', organizationId, siteId }
    // Another process may be as quick.
    await this.create(input).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'conflict')) throw error
    })
    return listPublicKeys(durable, siteId)
  }

  #secretOf(id: string): string {
    return writeKeySecret('assistant', createHmac('sha256', this.#deps.signingKey).update(id).digest())
  }
}
