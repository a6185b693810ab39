import type { CodeHost } from '../code-host.ts'
import type { WebhookReader } from '../webhooks/webhook-event.ts'
import type { ForgeHostDeps, ForgeRepository } from './forge-host.ts'

/** The reply of an installation to an unauthenticated request. */
export interface ForgeReply {
  status: number
  headers: Headers
  /** Null if it is not JSON. */
  body: unknown
}

/** Requests a path below an origin without a credential. @returns Null when nothing answers. */
export type AskForge = (path: string) => Promise<ForgeReply | null>

/** The parts of an address, in order. */
export interface SplitAddress {
  /** Where the forge lies below its host. */
  above: readonly string[]
  /** The repository. */
  path: readonly string[]
}

/** How to recognize, open and receive webhooks from one kind of forge. Its description is in `contract/code-hosts.ts`. */
export interface ForgeAdapter {
  /** The address of a repository, for error messages. */
  exampleAddress: string
  /**
   * Finds the repository in the path of its web address, without `.git`.
   *
   * @returns Null if the kind has no such addresses.
   */
  splitAddress(segments: readonly string[]): SplitAddress | null
  /** Path of a repository's web page below the origin; by default its own path. */
  pagePath?(path: string): string
  /** Clone path below the origin, without `.git`; by default the path of the repository. */
  clonePath?(path: string): string
  /** Whether an installation of this kind answers at an origin. */
  isAt(ask: AskForge): Promise<boolean>
  webhook: WebhookReader
  /** Loads the code host with its first repository. */
  open(deps: ForgeHostDeps, repository: ForgeRepository): Promise<CodeHost>
}
