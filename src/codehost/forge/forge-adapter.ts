import type { CodeHost } from '../code-host.ts'
import type { WebhookReader } from '../webhooks/webhook-event.ts'
import type { ForgeHostDeps, ForgeRepository } from './forge-host.ts'

/** What an installation answers to a stranger. */
export interface ForgeReply {
  status: number
  headers: Headers
  /** Null where it is not JSON. */
  body: unknown
}

/** Asks for a path below an origin without a credential. @returns Null when nothing answers. */
export type AskForge = (path: string) => Promise<ForgeReply | null>

/** The parts of an address, in order. */
export interface SplitAddress {
  /** Where the forge lies below its host. */
  above: readonly string[]
  /** The repository. */
  path: readonly string[]
}

/** How one kind of forge is recognized, opened and listened to. What is said about it to people stands in `contract/code-hosts.ts`. */
export interface ForgeAdapter {
  /** The address of a repository, for error messages. */
  exampleAddress: string
  /**
   * Finds the repository in the path of its address for people, without `.git`.
   *
   * @returns Null where the kind has no such addresses.
   */
  splitAddress(segments: readonly string[]): SplitAddress | null
  /** Below the origin, the address of a repository for people; its path unless given. */
  pagePath?(path: string): string
  /** Below the origin, the address that git takes, without `.git`; the path of the repository unless given. */
  clonePath?(path: string): string
  /** Whether an installation of this kind answers at an origin. */
  isAt(ask: AskForge): Promise<boolean>
  webhook: WebhookReader
  /** Loads what the kind needs with its first repository. */
  open(deps: ForgeHostDeps, repository: ForgeRepository): Promise<CodeHost>
}
