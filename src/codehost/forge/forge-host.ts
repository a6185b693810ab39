import type { Clock } from '../../base/clock.ts'
import type { ForgeKind } from '../../contract/code-hosts.ts'
import type { Log } from '../../telemetry/log.ts'
import type { ForgeTokenCache } from './forge-token-cache.ts'
import type { ForgeTransport } from './forge-transport.ts'

/** A site's repository on a forge. */
export interface ForgeRepository {
  kind: ForgeKind
  /**
   * Scheme, host and port of the forge's web address, such as `https://github.com`. No trailing slash. Includes the
   * base path of a self-managed forge that has one.
   */
  origin: string
  /** `acme/docs`; on GitLab including all groups. */
  path: string
  /** The site's id. Keeps mirrors fetched with one site's credential from other sites. */
  reader: string
}

/** A token made by a person, or a GitHub App, whose tokens are issued on demand. */
export type ForgeCredential =
  | { kind: 'token'; username: string; token: string }
  | {
      kind: 'github-app'
      appId: string
      /** PEM, as downloaded from GitHub. */
      privateKey: string
      /** Null to look it up by repository. */
      installationId: number | null
      /** Whether to commit through the API, so that GitHub signs the commits; by default git pushes them. */
      wantsVerifiedCommits?: boolean
    }

/** Dependencies of all forge adapters. */
export interface ForgeHostDeps {
  clock: Clock
  log: Log
  /** Waits before a retry; resolves early when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** In [0, 1); jitter for retries. */
  random(): number
  /** Connects only to addresses that the settings allow, and follows no redirects. */
  fetch: typeof fetch
  /** @param mirrored The repository that the commits to push were fetched from, if it has moved since. */
  transport: (repository: ForgeRepository, mirrored?: ForgeRepository) => ForgeTransport
  /**
   * Read at each use and never kept beyond a call, so that a changed credential takes effect immediately. Null for
   * anonymous reading.
   */
  readCredential(signal: AbortSignal): Promise<ForgeCredential | null>
  /** App tokens by installation, repository and permissions, until shortly before they expire. In memory. */
  tokens: ForgeTokenCache
}
