import type { CodeHostAppSecrets } from '../codehost/code-host-app-secrets.ts'
import type { CodeHost } from '../codehost/code-host.ts'
import type { ConvertedGithubApp } from '../codehost/github/github-app-manifest.ts'
import { readGitCredential } from '../codehost/forge-git-credential.ts'
import type { ForgeCredential, ForgeHostDeps, ForgeRepository } from '../codehost/forge/forge-host.ts'
import { cloneAddress, type ForgeLocation, readForgeLocation } from '../codehost/forge/forge-location.ts'
import { ForgeTokenCache } from '../codehost/forge/forge-token-cache.ts'
import { createForgeTransport } from '../codehost/forge/forge-transport.ts'
import { forgeAdapters } from '../codehost/forge-adapters.ts'
import type { SourceCheck } from '../contract/source-check.ts'
import type { Mirrors, RemoteSource } from '../git/remotes/mirrors.ts'
import type { GitCredential } from '../git/remotes/resolve-remote.ts'
import { findCodeHostApp } from '../store/hosting/code-host-apps.ts'
import { getProject } from '../store/accounts/projects.ts'
import { getSite, type Site, type SiteSource } from '../store/sites/sites.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import type { Log } from '../telemetry/log.ts'
import { type AskedSource, type CheckAccessDeps, checkSourceAccess } from './sources/check-source-access.ts'
import type { SiteSecrets } from './site-secrets.ts'

export interface ForgesDeps extends StoreDeps {
  log: Log
  mirrors: Mirrors
  secrets: SiteSecrets
  appSecrets: CodeHostAppSecrets
  allowsPrivateAddresses: boolean
  /** Dials only addresses that the settings allow; follows no redirects. */
  fetch: typeof fetch
  sleep(ms: number, signal: AbortSignal): Promise<void>
  random(): number
}

/** A repository to check before a site is created from it, and the credential entered for it. */
export interface CandidateSource {
  organizationId: string
  source: AskedSource
  /** Null: use the organization's App, if it has one on this forge. */
  credential: GitCredential | null
  /** Id of the existing site whose mirror is used to read the files. */
  reader: string
}

/** Connects sites to the forges of their repositories, with the site's token or else the organization's App. */
export class Forges {
  readonly #deps: ForgesDeps
  readonly #tokens: ForgeTokenCache

  constructor(deps: ForgesDeps) {
    this.#deps = deps
    this.#tokens = new ForgeTokenCache(deps)
  }

  /** Null for a site on no forge, and for one without any credential: it can be read, but pull requests cannot be opened. */
  async openHost(site: Site): Promise<CodeHost | null> {
    const place = readForgeLocation(site.source)
    if (place === null || (await this.#readCredential(site.id, place)) === null) return null
    return forgeAdapters[place.kind].open(this.#depsOf(site.id, place), { ...place, reader: site.id })
  }

  /** The host of a repository without a site; null as in `openHost`. */
  async openCandidateHost(candidate: CandidateSource & { source: SiteSource }): Promise<CodeHost | null> {
    const place = readForgeLocation(candidate.source)
    if (place === null) return null
    const read = this.#readCandidate(candidate, place)
    if ((await read()) === null) return null
    return forgeAdapters[place.kind].open(this.#hostDeps(read), { ...place, reader: candidate.reader })
  }

  #readCandidate({ organizationId, credential }: CandidateSource, place: ForgeLocation) {
    return async (): Promise<ForgeCredential | null> =>
      credential === null ? this.#readApp(organizationId, place) : { kind: 'token', ...credential }
  }

  /** Checks everything a site needs of its repository; changes nothing. */
  checkAccess(candidate: CandidateSource, signal: AbortSignal): Promise<SourceCheck> {
    const { source, reader } = candidate
    const deps: CheckAccessDeps = {
      fetch: this.#deps.fetch,
      hasCredential: async (place) => (await this.#readCandidate(candidate, place)()) !== null,
      openHost: (place) =>
        forgeAdapters[place.kind].open(this.#hostDeps(this.#readCandidate(candidate, place)), { ...place, reader }),
    }
    return checkSourceAccess(deps, source, signal)
  }

  /**
   * Takes over an App that GitHub has just created. Loaded on demand because it happens once. @throws {AppError}
   * {ForgeError}
   */
  async adoptApp(made: { origin: string; code: string }, signal: AbortSignal): Promise<ConvertedGithubApp> {
    const { convertManifestCode } = await import('../codehost/github/github-app-manifest.ts')
    return convertManifestCode(this.#deps, made, signal)
  }

  /** Where a ref of a read-only repository points now; fetches nothing. @throws {AppError} with a message. */
  findTip(source: RemoteSource, signal: AbortSignal): Promise<{ revision: string }> {
    return this.#deps.mirrors.findTip(source, signal)
  }

  /**
   * The forge repository of a site, as git reads it; null if the site is on no forge. @throws {ForgeError} from its
   * App.
   */
  async openRemoteSource(site: Site, signal: AbortSignal): Promise<RemoteSource | null> {
    const place = readForgeLocation(site.source)
    if (place === null) return null
    const repository: ForgeRepository = { ...place, reader: site.id }
    const credential = await readGitCredential(this.#depsOf(site.id, place), repository, signal)
    return { location: cloneAddress(place), ref: site.source.ref, credential, reader: site.id }
  }

  /**
   * A repository without a site, as git reads it: with the given credential, else with the organization's App.
   *
   * @throws {ForgeError} from the App.
   */
  async openCandidateSource(
    candidate: CandidateSource & { source: SiteSource },
    signal: AbortSignal,
  ): Promise<RemoteSource> {
    const { source, credential, reader } = candidate
    const place = readForgeLocation(source)
    if (place === null) return { location: source.location, ref: source.ref, credential, reader }
    const repository: ForgeRepository = { ...place, reader }
    const opened = await readGitCredential(this.#hostDeps(this.#readCandidate(candidate, place)), repository, signal)
    return { location: cloneAddress(place), ref: source.ref, credential: opened, reader }
  }

  /** Whether the App that opens a site's repository has a webhook, which then covers all of the App's repositories. */
  async hasAppWebhook({ source, sourceCredentialSealed, projectId }: Site): Promise<boolean> {
    const place = readForgeLocation(source)
    if (place?.kind !== 'github' || sourceCredentialSealed !== null) return false
    const { store } = this.#deps
    const project = await getProject(store.durable, projectId)
    if (project === null) return false
    const { kind, origin } = place
    const app = await findCodeHostApp(store.durable, { organizationId: project.organizationId, kind, origin })
    return app !== null && app.webhookSecretSealed !== null
  }

  #depsOf(siteId: string, place: ForgeLocation): ForgeHostDeps {
    return this.#hostDeps(() => this.#readCredential(siteId, place))
  }

  #hostDeps(readCredential: ForgeHostDeps['readCredential']): ForgeHostDeps {
    const { clock, log, fetch, sleep, random } = this.#deps
    const transport: ForgeHostDeps['transport'] = (repository, mirrored) =>
      createForgeTransport(this.#deps, {
        ...repository,
        location: cloneAddress(repository),
        mirrored: mirrored && cloneAddress(mirrored),
      })
    return { clock, log, fetch, sleep, random, transport, readCredential, tokens: this.#tokens }
  }

  /** Read each time, so that a changed credential applies immediately; one for another repository opens nothing. */
  async #readCredential(siteId: string, place: ForgeLocation): Promise<ForgeCredential | null> {
    const { store, secrets } = this.#deps
    const site = await getSite(store.durable, siteId)
    if (site === null || !isSamePlace(readForgeLocation(site.source), place)) return null
    const { sourceCredentialSealed, projectId } = site
    if (sourceCredentialSealed !== null)
      return { kind: 'token', ...secrets.openCredential(siteId, sourceCredentialSealed) }
    const project = await getProject(store.durable, projectId)
    return project === null ? null : this.#readApp(project.organizationId, place)
  }

  async #readApp(organizationId: string, { kind, origin }: ForgeLocation): Promise<ForgeCredential | null> {
    if (kind !== 'github') return null
    const { store, appSecrets } = this.#deps
    const app = await findCodeHostApp(store.durable, { organizationId, kind, origin })
    if (app === null) return null
    const { appId, hasVerifiedCommits: wantsVerifiedCommits } = app
    const privateKey = appSecrets.openPrivateKey(app)
    return { kind: 'github-app', appId, privateKey, installationId: null, wantsVerifiedCommits }
  }
}

function isSamePlace(one: ForgeLocation | null, other: ForgeLocation): boolean {
  return one?.kind === other.kind && one.origin === other.origin && one.path === other.path
}
