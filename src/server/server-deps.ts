import type { AgentRequestDeps } from '../agent/agent-deps.ts'
import type { OidcSignIn } from '../access/sign-in/oidc-sign-in.ts'
import type { PasswordHasher } from '../access/sign-in/password-hasher.ts'
import type { PullRequestRefresher } from '../agent/jobs/pull-request-refresher.ts'
import type { KeyDirectory } from '../access/keys/key-directory.ts'
import type { ReaderSessions } from '../access/readers/reader-sessions.ts'
import type { OutageCounts } from '../access/limits/outage-counts.ts'
import type { TrustedProxies } from '../access/client-address.ts'
import type { AnswerDeps } from '../assistant/answer-question.ts'
import type { ModelSettings } from '../assistant/model-settings.ts'
import type { Clock } from '../base/clock.ts'
import type { FairGate } from '../base/fair-gate.ts'
import type { IdSource } from '../base/ids.ts'
import type { BuiltinHostDeps } from '../codehost/builtin/builtin-host-deps.ts'
import type { CodeHostAppSecrets } from '../codehost/code-host-app-secrets.ts'
import type { ClusterThread } from '../insights/cluster-thread.ts'
import type { DashboardEvents } from '../insights/dashboard-events.ts'
import type { ErrorCounts } from '../insights/error-counts.ts'
import type { HealthReader } from '../insights/read-health.ts'
import type { GitServing } from '../git/remotes/serve-git.ts'
import type { Forges } from '../sites/forges.ts'
import type { LiveSites } from '../sites/live-sites.ts'
import type { SiteSecrets } from '../sites/site-secrets.ts'
import type { Site } from '../store/sites/sites.ts'
import type { Store } from '../store/store.ts'
import type { WriteProbe } from '../store/write-probe.ts'
import type { Log } from '../telemetry/log.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { WebhookSecrets } from '../webhooks/webhook-secrets.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { JsonBodyDeps } from './bodies/read-json.ts'
import type { ResumableStreams } from './streams/resumable-streams.ts'

/** What the HTTP edge is made of. Built by the app room and handed in. */
export interface ServerDeps extends JsonBodyDeps {
  store: Store
  clock: Clock
  ids: IdSource
  log: Log
  /** Absent: nothing is measured. */
  telemetry?: Telemetry
  keys: KeyDirectory
  passwords: PasswordHasher
  /** Null where the operator has set no provider of OpenID Connect. */
  oidc: OidcSignIn | null
  sites: LiveSites
  secrets: SiteSecrets
  answers: AnswerDeps
  /** The model, its key and its address, as far as they are stored. */
  modelSettings: ModelSettings
  /** Makes a change of them hold from the next answer on. */
  forgetModels(): void
  agent: AgentRequestDeps
  /** Keeps the pull requests of jobs up to date. */
  pullRequests: PullRequestRefresher
  host: BuiltinHostDeps
  forges: Forges
  /** Of Apps on code hosts. */
  appSecrets: CodeHostAppSecrets
  /** What secrets of the webhooks of sites are made of: see `webhookSecretOf`. */
  webhookKey: Buffer
  /** Of the endpoints that are told what happens. */
  webhookSecrets: WebhookSecrets
  /** Asks the workers of webhooks to look for work now. */
  wakeWebhooks(): void
  /** Asks the worker of automations to look for work now. */
  wakeAutomations(): void
  /** Absolute paths of the folders that sites may be read from when a key or a session asks. */
  sourceFolders: readonly string[]
  /** Whether endpoints may be on this machine and in private networks. */
  allowsPrivateAddresses: boolean
  /** Answers at the same time, shared between sites. */
  answerGate: FairGate
  gitServing: GitServing
  /** Whether keys with the scope `write` may push to default branches. */
  allowsDefaultBranchPush: boolean
  /** Answers that can be resumed. */
  streams: ResumableStreams
  lifecycle: Lifecycle
  /** Groups questions, in a thread of its own. */
  clusters: ClusterThread
  /** Tells whether what must be stored can be. */
  writeProbe: WriteProbe
  /** Tells dashboards what has changed. */
  dashboardEvents: DashboardEvents
  operations: { health: HealthReader; errors: ErrorCounts; /** UTC milliseconds. */ startedAt: number }
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
  readerSessions: ReaderSessions
  /** Where limits stood when this process looked last. */
  outageCounts: OutageCounts
}

/** The limits of the contract, as the operator set them. */
export interface RequestLimits {
  keyPerMonth: number
  organizationPerHour: number
  /** Per network: see `clientNetwork`. */
  addressPerDay: number
  /** Per block of networks: see `addressBlock`; 0: none. */
  prefixPerMinute: number
  prefixPerDay: number
  searchPerHour: number
  jobsPerHour: number
}
