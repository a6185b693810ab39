import type { CodeHost } from '../code-host.ts'
import type { WebhookReader } from '../webhooks/webhook-event.ts'
import type { ForgeHostDeps, ForgeRepository } from './forge-host.ts'

/** An installation's reply to an unauthenticated request. */
export interface ForgeReply {
  status: number
  headers: Headers
  /** Null if it is not JSON. */
  body: unknown
}

/** Sends an unauthenticated request to a path of an origin. @returns Null if nothing answers. */
export type AskForge = (path: string) => Promise<ForgeReply | null>

/** Path segments of a repository's address. */
export interface SplitAddress {
  /** Base path of the forge on its host. */
  above: readonly string[]
  /** Path of the repository. */
  path: readonly string[]
}

/**
 * Recognizes, opens and receives webhooks from one kind of forge. The kinds are described in `contract/code-hosts.ts`.
 */
export interface ForgeAdapter {
  /** Example of a repository address, for error messages. */
  exampleAddress: string
  /**
   * Splits the path of a repository's web address, without `.git`.
   *
   * @returns Null if the kind has no such addresses.
   */
  splitAddress(segments: readonly string[]): SplitAddress | null
  /** Path of a repository's web page relative to the origin; its own path by default. */
  pagePath?(path: string): string
  /** Clone path relative to the origin, without `.git`; the repository's path by default. */
  clonePath?(path: string): string
  /**
   * Path of the web page where one edits a file, relative to the origin.
   *
   * @param ref Branch; null for the default one, whose files some forges only show, with a button for editing.
   * @param file Encoded for URLs, like the branch.
   */
  editPath(path: string, ref: string | null, file: string): string
  /** Path of the web page that shows a line of a file; `file` and `commit` are encoded for URLs. */
  viewPath(path: string, view: { commit: string | null; file: string; line: number }): string
  /** Whether an installation of this kind answers at an origin. */
  isAt(ask: AskForge): Promise<boolean>
  webhook: WebhookReader
  /** Loads the code host's module on first use. */
  open(deps: ForgeHostDeps, repository: ForgeRepository): Promise<CodeHost>
}
