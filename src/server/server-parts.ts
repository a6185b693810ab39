import type { AgentRequestDeps } from '../agent/agent-deps.ts'
import type { KeyDirectory } from '../access/key-directory.ts'
import type { TrustedProxies } from '../access/client-address.ts'
import type { AnswerDeps } from '../assistant/answer-question.ts'
import type { ModelSettings } from '../assistant/model-settings.ts'
import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/ids.ts'
import type { BuiltinHostDeps } from '../codehost/builtin-host-deps.ts'
import type { GitServing } from '../git/serve-git.ts'
import type { LiveSites } from '../sites/live-sites.ts'
import type { SiteSecrets } from '../sites/site-secrets.ts'
import type { Site } from '../store/sites.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { KeptStreams } from './streams/kept-streams.ts'

/** What the HTTP edge is made of. Built by the app room and handed in. */
export interface ServerParts {
  store: Store
  clock: Clock
  ids: IdSource
  log: Log
  keys: KeyDirectory
  sites: LiveSites
  secrets: SiteSecrets
  answers: AnswerDeps
  /** The model, its key and its address, as far as they are stored. */
  modelSettings: ModelSettings
  /** Makes a change of them hold from the next answer on. */
  forgetModels(): void
  agent: AgentRequestDeps
  host: BuiltinHostDeps
  gitServing: GitServing
  /** Whether keys with the scope `write` may push to default branches. */
  allowsDefaultBranchPush: boolean
  /** Answers that can be resumed. */
  streams: KeptStreams
  lifecycle: Lifecycle
  /** Whether secrets and personal data are taken out of what is stored. */
  masksStored: boolean
  randomBytes(size: number): Buffer
  /** Removes a site with everything of it, its files included. */
  removeSite(site: Site): Promise<void>
  /** Asks the worker to look for work of a site now instead of at its next poll. */
  wakeWorker(siteId: string): void
  /** The token of commands on this machine: as good as an admin key with every scope. */
  localToken: string
  trustedProxies: TrustedProxies
  /** Where clients reach the server, without a slash at the end. */
  baseUrl: string
  limits: RequestLimits
}

/** The limits of the contract, as the operator set them. */
export interface RequestLimits {
  keyPerMonth: number
  organizationPerHour: number
  addressPerDay: number
  searchPerHour: number
  jobsPerHour: number
}
