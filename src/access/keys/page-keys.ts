import { createHmac } from 'node:crypto'
import { isRecent } from '../../base/is-recent.ts'
import { AppError } from '../../contract/app-error.ts'
import { type ApiKey, findPageKey, updateKeyHash } from '../../store/accounts/keys.ts'
import { getProject } from '../../store/accounts/projects.ts'
import { createKey, type CreateKeyDeps, type NewKey } from './create-key.ts'
import { hashKeySecret, writeKeySecret } from './key-secret.ts'

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

/**
 * The public key of each site, which its served pages carry: made when it is first needed, and never again once an owner
 * has revoked it.
 *
 * Its secret is derived from its id, so that it can be written into pages although only its hash is stored.
 */
export class PageKeys {
  readonly #deps: PageKeysDeps
  readonly #known = new Map<string, { at: number; secret: Promise<string | null> }>()

  constructor(deps: PageKeysDeps) {
    this.#deps = deps
  }

  /** @returns The secret; null if an owner revoked the key or it has expired. */
  find(site: KeyedSite): Promise<string | null> {
    const at = this.#deps.clock.now()
    const known = this.#known.get(site.id)
    if (known !== undefined && isRecent(known.at, believedMs, at)) return known.secret
    const secret = this.#read(site)
    this.#known.set(site.id, { at, secret })
    secret.catch(() => this.#known.delete(site.id))
    return secret
  }

  /** Makes changes of keys take effect with the next request. */
  forget(): void {
    this.#known.clear()
  }

  /** @throws {AppError} as `createKey` does; `conflict` if the site has one. */
  create(input: NewKey): Promise<{ key: ApiKey; secret: string }> {
    const id = this.#deps.ids.prefixed('key')
    return createKey(this.#deps, { ...input, id, secret: this.#secretOf(id) })
  }

  async #read(site: KeyedSite): Promise<string | null> {
    const { store, clock } = this.#deps
    const key = (await findPageKey(store.durable, site.id)) ?? (await this.#createFirst(site))
    if (key === null || key.revokedAt !== null) return null
    if (key.expiresAt !== null && key.expiresAt <= clock.now()) return null
    const secret = this.#secretOf(key.id)
    const hash = hashKeySecret(secret)
    // After a restore with another secret key of the installation.
    if (key.hash !== hash) await updateKeyHash(store.durable, key.id, { hash, hint: secret.slice(-4) })
    return secret
  }

  async #createFirst({ id: siteId, projectId }: KeyedSite) {
    const { durable } = this.#deps.store
    const project = await getProject(durable, projectId)
    if (project === null) return null
    const { organizationId } = project
    const input: NewKey = { kind: 'assistant', purpose: 'pages', name: 'Served pages', organizationId, siteId }
    // Another process may be as quick.
    await this.create(input).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'conflict')) throw error
    })
    return findPageKey(durable, siteId)
  }

  #secretOf(id: string): string {
    return writeKeySecret('assistant', createHmac('sha256', this.#deps.signingKey).update(id).digest())
  }
}
