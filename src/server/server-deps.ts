import type { CheckThread } from '../agent/checks/check-thread.ts'
import type { AgentRequestDeps } from '../agent/agent-deps.ts'
import type { OidcSignIn } from '../access/sign-in/oidc-sign-in.ts'
import type { PasswordHasher } from '../access/sign-in/password-hasher.ts'
import type { PullRequestRefresher } from '../agent/jobs/pull-request-refresher.ts'
import type { KeyDirectory } from '../access/keys/key-directory.ts'
import type { PageKeys } from '../access/keys/page-keys.ts'
import type { ReaderSessions } from '../access/readers/reader-sessions.ts'
import type { OutageCounts } from '../access/limits/outage-counts.ts'
import type { TrustedProxies } from '../access/client-address.ts'
import type { AnswerDeps } from '../assistant/answer-question.ts'
import type { ReceiptSigner } from '../assistant/receipts/receipt-signer.ts'
import type { CheckedModel } from '../models/calls/probe-model.ts'
import type { ModelSettings } from '../assistant/model-settings.ts'
import type { FairGate } from '../base/fair-gate.ts'
import type { IdSource } from '../base/ids.ts'
import type { BotAccessDeps } from '../bots/bot-access.ts'
import type { ConversationKeys } from '../bots/conversation-keys.ts'
import type { BuiltinHostDeps } from '../codehost/builtin/builtin-host-deps.ts'
import type { CodeHostAppSecrets } from '../codehost/code-host-app-secrets.ts'
import type { AgentsSeen } from '../insights/agents-seen.ts'
import type { ClusterThread } from '../insights/cluster-thread.ts'
import type { DashboardEvents } from '../insights/dashboard-events.ts'
import type { ErrorCounts } from '../insights/error-counts.ts'
import type { HealthReader } from '../insights/read-health.ts'
import type { GitServing } from '../git/remotes/serve-git.ts'
import type { Forges } from '../sites/forges.ts'
import type { LiveSites } from '../sites/live-sites.ts'
import type { SiteSecrets } from '../sites/site-secrets.ts'
import type { Site } from '../store/sites/sites.ts'
import type { WriteProbe } from '../store/write-probe.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import type { Log } from '../telemetry/log.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { WebhookSecrets } from '../webhooks/webhook-secrets.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { JsonBodyDeps } from './bodies/read-json.ts'
import type { ResumableStreams } from './streams/resumable-streams.ts'

/** Dependencies of the HTTP edge, built by `src/app`. */
export interface ServerDeps extends StoreDeps, JsonBodyDeps {
  ids: IdSource
  log: Log
  /** Absent if nothing is measured. */
  telemetry?: Telemetry
  keys: KeyDirectory
  /** The public keys of sites. */
  pageKeys: PageKeys
  passwords: PasswordHasher
  /** Null if no OpenID Connect provider is configured. */
  oidc: OidcSignIn | null
  sites: LiveSites
  secrets: SiteSecrets
  answers: AnswerDeps
  receiptSigner: ReceiptSigner
  /** The stored settings of the model: its name, key and address. */
  modelSettings: ModelSettings
  /** Makes changed model settings take effect with the next answer. */
  forgetModels(): void
  /** Opens what a check tries out: the current model, or another one alone. @throws {SettingsError} */
  openForCheck(modelId?: string): Promise<CheckedModel>
  agent: AgentRequestDeps
  /** Reads sites for the pages of pull requests. Apart from the agent's, which pages must not delay. */
  pageChecks: CheckThread
  /** Keeps the pull requests of jobs up to date. */
  pullRequests: PullRequestRefresher
  host: BuiltinHostDeps
  forges: Forges
  /** Secrets of Apps on code hosts. */
  appSecrets: CodeHostAppSecrets
  /** Key that the webhook secrets of sites are derived from: see `webhookSecretOf`. */
  webhookKey: Buffer
  /** Secrets of outgoing webhook endpoints. */
  webhookSecrets: WebhookSecrets
  /** The name that addresses the agent in comments, without `@`. */
  agentMention: string
  /** Makes the webhook workers look for work now. */
  wakeWebhooks(): void
  /** Bots on chat platforms. */
  bots: BotAccessDeps & { keys: ConversationKeys; /** Makes the worker look for work now. */ wake(): void }
  /** Makes the automation worker look for work now. */
  wakeAutomations(): void
  /** Absolute paths of the folders that keys and sessions may use as sources. */
  sourceFolders: readonly string[]
  /** Whether endpoints may be on this machine or in private networks. */
  allowsPrivateAddresses: boolean
  /** Limits concurrent answers, shared fairly between sites. */
  answerGate: FairGate
  gitServing: GitServing
  /** Whether keys with the scope `write` may push to default branches. */
  allowsDefaultBranchPush: boolean
  /** For `robots.txt`, such as `search=yes, ai-input=yes`; or `none`. */
  contentSignals: string
  /** Resumable answers. */
  streams: ResumableStreams
  lifecycle: Lifecycle
  /** Groups questions in a separate thread. */
  clusters: ClusterThread
  /** Checks whether the database accepts writes. */
  writeProbe: WriteProbe
  /** Counts agents that read the sites. */
  agentsSeen: AgentsSeen
  /** Notifies dashboards of changes. */
  dashboardEvents: DashboardEvents
  operations: { health: HealthReader; errors: ErrorCounts; /** UTC milliseconds. */ startedAt: number }
  /** Whether secrets and personal data are masked in what is stored. */
  masksStored: boolean
  randomBytes(size: number): Buffer
  /** Removes a site with everything that belongs to it, files included. */
  removeSite(site: Site): Promise<void>
  /** Makes the worker look for work of a site now rather than at its next poll. */
  wakeWorker(siteId: string): void
  /** Token of commands on this machine: equivalent to an admin key with every scope. */
  localToken: string
  trustedProxies: TrustedProxies
  /** Where clients reach the server, without a trailing slash. */
  baseUrl: string
  limits: RequestLimits
  readerSessions: ReaderSessions
  /** Limit counts as this process last saw them in the database. */
  outageCounts: OutageCounts
}

/** Contractual limits, as configured by the operator. */
export interface RequestLimits {
  keyPerMonth: number
  organizationPerHour: number
  /** Per network: see `clientNetwork`. */
  addressPerDay: number
  /** Per block of networks, see `addressBlock`; 0 means no limit. */
  prefixPerMinute: number
  prefixPerDay: number
  searchPerHour: number
  jobsPerHour: number
}
