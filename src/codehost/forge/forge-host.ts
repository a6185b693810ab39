import type { Clock } from '../../base/clock.ts'
import type { ForgeKind } from '../../contract/code-hosts.ts'
import type { Log } from '../../telemetry/log.ts'
import type { ForgeTokenCache } from './forge-token-cache.ts'
import type { ForgeTransport } from './forge-transport.ts'

/** The repository of a site on a forge. */
export interface ForgeRepository {
  kind: ForgeKind
  /**
   * Scheme, host and port of the forge for people, such as `https://github.com`. Never ends with a slash. May carry a path
   * for self-managed ones under one.
   */
  origin: string
  /** `acme/docs`; GitLab: with all groups. */
  path: string
  /**
   * Names who reads, so that mirrors which were fetched with one site's credential serve nobody else: the site's id.
   */
  reader: string
}

/** What a forge is asked with: a token as people make it, or an App (GitHub), whose tokens are made when needed. */
export type ForgeCredential =
  | { kind: 'token'; username: string; token: string }
  | {
      kind: 'github-app'
      appId: string
      /** PEM, as GitHub gives it. */
      privateKey: string
      /** Null: looked up for the repository. */
      installationId: number | null
      /** Whether commits are made by the API, so that GitHub signs them; by git unless given. */
      wantsVerifiedCommits?: boolean
    }

/** What the adapters of all forges need. */
export interface ForgeHostDeps {
  clock: Clock
  log: Log
  /** Waits before a repeated request; resolves early when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** In [0, 1): spreads repeated requests. */
  random(): number
  /** Dials only addresses that the settings allow, and follows no redirect. */
  fetch: typeof fetch
  /** @param mirrored Where the commits to push were fetched from, if the repository has moved since. */
  transport: (repository: ForgeRepository, mirrored?: ForgeRepository) => ForgeTransport
  /**
   * Read at each use, never kept longer than a call, so that a changed credential holds at once. Null: public reading
   * only.
   */
  readCredential(signal: AbortSignal): Promise<ForgeCredential | null>
  /** App tokens by installation, repository and permissions until shortly before their end. In memory. */
  tokens: ForgeTokenCache
}
