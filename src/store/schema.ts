import type { Insertable, Selectable } from 'kysely'

/**
 * The tables as both databases hold them: times are UTC milliseconds, booleans are 0 or 1, JSON is text. Names are
 * snake_case here and only here; what leaves this room is camelCase and parsed.
 */
export interface Database {
  organizations: OrganizationsTable
  projects: ProjectsTable
  sites: SitesTable
  site_hostnames: SiteHostnamesTable
  keys: KeysTable
  counters: CountersTable
  index_runs: IndexRunsTable
  index_generations: IndexGenerationsTable
  threads: ThreadsTable
  messages: MessagesTable
  index_guidance: IndexGuidanceTable
  installation: InstallationTable
  stream_chats: StreamChatsTable
  stream_events: StreamEventsTable
  feedback: FeedbackTable
  repositories: RepositoriesTable
  pull_requests: PullRequestsTable
  pull_request_comments: PullRequestCommentsTable
  users: UsersTable
  sessions: SessionsTable
  sign_in_links: UserTokensTable
  agent_jobs: AgentJobsTable
  job_messages: JobMessagesTable
  job_steps: JobStepsTable
  job_events: JobEventsTable
  user_identities: UserIdentitiesTable
  sign_in_attempts: SignInAttemptsTable
  invitations: InvitationsTable
  audit_log: AuditLogTable
  gaps: GapsTable
  webhook_deliveries: WebhookDeliveriesTable
  comment_answers: CommentAnswersTable
  webhook_endpoints: WebhookEndpointsTable
  webhook_events: WebhookEventsTable
  webhook_sends: WebhookSendsTable
  code_host_apps: CodeHostAppsTable
  blobs: BlobsTable
  blob_chunks: BlobChunksTable
  index_blobs: IndexBlobsTable
  repository_states: RepositoryStatesTable
  repository_packs: RepositoryPacksTable
  leases: LeasesTable
  context_repositories: ContextRepositoriesTable
  automations: AutomationsTable
  automation_runs: AutomationRunsTable
}

export interface OrganizationsTable {
  id: string
  name: string
  created_at: number
}

export interface ProjectsTable {
  id: string
  organization_id: string
  name: string
  created_at: number
}

export interface SitesTable {
  id: string
  project_id: string
  slug: string
  name: string
  /** JSON array of strings, as the owner listed them. `site_hostnames` is the index over it. */
  hostnames: string
  base_url: string | null
  /** JSON object. */
  source: string
  /** JSON object. */
  settings: string
  identity_secret_sealed: string | null
  source_credential_sealed: string | null
  /** When the source is to be looked at next; null: as soon as possible. */
  source_check_at: number | null
  /** 1 for sites that are crawled, whose runs have lanes of their own. */
  is_crawled: number
  created_at: number
}

/** One row per host name, so that no two sites can claim the same one and a look-up is one index probe. */
export interface SiteHostnamesTable {
  hostname: string
  site_id: string
}

export interface KeysTable {
  id: string
  kind: 'admin' | 'assistant'
  organization_id: string
  site_id: string | null
  name: string
  hash: string
  hint: string
  /** JSON arrays of strings, these four. */
  scopes: string
  ip_ranges: string
  origins: string
  groups: string
  session: 'off' | 'pressure' | 'always'
  normal_per_minute: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
  created_at: number
}

export interface CountersTable {
  name: string
  subject: string
  window_start: number
  count: number
}

export interface IndexRunsTable {
  id: string
  site_id: string
  state: 'queued' | 'running' | 'succeeded' | 'failed'
  cause: string
  attempt: number
  lease_owner: string | null
  lease_until: number | null
  failure: string | null
  /** What the source held when the run looked at it; null until it has. */
  revision: string | null
  step: string | null
  pages_done: number | null
  pages_total: number | null
  created_at: number
  started_at: number | null
  finished_at: number | null
}

export interface IndexGenerationsTable {
  id: string
  site_id: string
  number: number
  revision: string
  file: string
  page_count: number
  chunk_count: number
  /** JSON array. */
  findings: string
  created_at: number
}

export interface ThreadsTable {
  site_id: string
  id: string
  key_hash: string
  fp: string
  created_at: number
  updated_at: number
}

export interface MessagesTable {
  id: string
  site_id: string
  thread_id: string
  role: 'user' | 'assistant'
  text: string
  /** JSON array. */
  sources: string
  verdict: string | null
  generation_id: string | null
  model: string | null
  /** JSON objects or null, these two. */
  usage: string | null
  timings: string | null
  cost_usd: number | null
  /** JSON array of strings, or null. */
  verdict_reasons: string | null
  /** Of questions: the same for the same question at the same place of a thread. */
  turn_key: string | null
  /** Of answers. */
  question_id: string | null
  /** The answer that stands instead of this one. */
  replaced_by: string | null
  /** Of answers, these six: who asked, and about what. */
  caller: string | null
  key_id: string | null
  version: string | null
  language: string | null
  current_path: string | null
  /** JSON array of strings. */
  tried_paths: string | null
  created_at: number
}

/** What the source of a generation tells the assistant, apart from the generation, because it is long and seldom read. */
export interface IndexGuidanceTable {
  generation_id: string
  /** JSON object. */
  guidance: string
}

export interface InstallationTable {
  name: string
  value: string
}

/** What a chat of a client is resumed by: its newest answer, and who may see it. One row per key and chat id. */
export interface StreamChatsTable {
  key_id: string
  chat_id: string
  address: string
  fp: string
  /** Set once another address or `fp` has used the chat id; never taken back while the row lives. */
  is_shared: number
  /** The newest answer; ids sort by time. */
  stream_id: string
  /** JSON: the reader groups that the answer was made for. */
  audience: string
  /** The last sign of life of the process that writes the answer. */
  alive_at: number
  /** Null while the answer runs. */
  kept_until: number | null
  /** When another process last read the answer for a client. */
  read_at: number
  /** The answer that a client wants stopped. */
  stop_id: string | null
}

/** The text of answers, as it goes over the wire, in pieces. */
export interface StreamEventsTable {
  stream_id: string
  seq: number
  key_id: string
  chat_id: string
  text: string
  is_last: number
}

export interface FeedbackTable {
  id: string
  site_id: string
  thread_id: string
  message_id: string
  fp: string
  is_helpful: number
  reason: string | null
  note: string | null
  created_at: number
  updated_at: number
}

export interface AgentJobsTable {
  id: string
  project_id: string
  site_id: string
  status: 'active' | 'completed' | 'failed'
  /** Counts the times that the job was made active, from 1. */
  round: number
  message_count: number
  event_count: number
  repository: string
  ref: string
  branch: string
  model: string
  is_draft: number
  prompt: string
  title: string | null
  summary: string | null
  failure_code: string | null
  failure_message: string | null
  /** JSON object or null. */
  pull_request: string | null
  /** JSON arrays, these two. */
  instructions: string
  changes: string
  input_tokens: number
  output_tokens: number
  steps: number
  cost_usd: number | null
  attempt: number
  lease_owner: string | null
  lease_until: number | null
  idempotency_key: string | null
  request_hash: string | null
  created_at: number
  updated_at: number
  archived_at: number | null
  /** JSON array: the context repositories of the newest round; null before there were any. */
  contexts: string | null
}

export interface JobMessagesTable {
  job_id: string
  /** Counts from 1 within the job. */
  number: number
  round: number
  role: 'user' | 'assistant'
  text: string
  /** JSON array. */
  context: string
  created_at: number
}

export interface JobStepsTable {
  job_id: string
  round: number
  /** Counts from 0 within the round; step 0 is the beginning, before the model was called. */
  step: number
  /** JSON array: what the step added to the conversation. */
  transcript: string
  /** JSON object; only the newest step of a round has one. */
  checkpoint: string | null
  input_tokens: number
  output_tokens: number
  cost_usd: number | null
  created_at: number
}

export interface JobEventsTable {
  job_id: string
  /** Counts from 1 within the job, without a gap. */
  seq: number
  /** JSON object. */
  data: string
  created_at: number
}

/** Bare repositories of the built-in host. */
export interface RepositoriesTable {
  id: string
  organization_id: string
  name: string
  folder: string
  default_branch: string
  /** The number of the newest pull request. */
  pull_request_count: number
  created_at: number
}

export interface PullRequestsTable {
  id: string
  repository_id: string
  number: number
  secret: string
  job_id: string | null
  title: string
  body: string
  is_draft: number
  state: 'open' | 'merged' | 'closed'
  head_branch: string
  head_commit: string
  base_branch: string
  base_commit: string
  merge_commit: string | null
  /** JSON array. */
  checks: string
  created_at: number
  updated_at: number
  ended_at: number | null
  ended_by: string | null
}

export interface PullRequestCommentsTable {
  id: string
  pull_request_id: string
  author: string
  body: string
  created_at: number
}

export interface UsersTable {
  id: string
  organization_id: string
  name: string
  role: 'viewer' | 'editor' | 'owner'
  created_at: number
  /** In lower case; null for an owner who has set none yet. */
  email: string | null
  password_hash: string | null
  last_sign_in_at: number | null
}

/** Links that open a session. */
export interface UserTokensTable {
  hash: string
  user_id: string
  created_at: number
  expires_at: number
}

/** What the documentation lacks, named by the first question that showed it. */
export interface GapsTable {
  id: string
  site_id: string
  question_id: string
  state: 'open' | 'drafted' | 'mended'
  job_id: string | null
  /** JSON array: what was answered when its questions were asked again. */
  answers: string
  created_at: number
  updated_at: number
}

export interface SessionsTable extends UserTokensTable {
  /** When it ends unless it is used; null for sessions that an older version began. */
  idle_until: number | null
}

/** Whom a provider of OpenID Connect means, by the issuer and the subject of its tokens. */
export interface UserIdentitiesTable {
  issuer: string
  subject: string
  user_id: string
  created_at: number
}

/** Attempts to sign in that are not known to have succeeded, by account and by network. */
export interface SignInAttemptsTable {
  subject: string
  failures: number
  blocked_until: number
  updated_at: number
}

export interface InvitationsTable {
  id: string
  organization_id: string
  hash: string
  role: 'viewer' | 'editor' | 'owner'
  email: string | null
  /** The name of who made it. */
  invited_by: string
  created_at: number
  expires_at: number
  used_at: number | null
  revoked_at: number | null
}

export interface AuditLogTable {
  id: string
  organization_id: string
  actor_kind: 'key' | 'user' | 'local' | 'anonymous'
  actor_id: string | null
  actor_name: string
  address: string
  action: string
  target_kind: string | null
  target_id: string | null
  target_name: string | null
  created_at: number
}

/** What hosts of repositories told. The row is the queue of what is to be done about it. */
export interface WebhookDeliveriesTable {
  id: string
  /** Whose hook it is: of a site, or of an App. */
  source: string
  /** As the sender names the delivery. */
  delivery_id: string
  organization_id: string
  /** Null for a hook that is not of one site. */
  site_id: string | null
  /** JSON object. */
  event: string
  state: 'queued' | 'done' | 'ignored' | 'failed'
  /** A sentence. */
  outcome: string | null
  attempt: number
  /** Nobody takes it before; while it is worked on, when the claim lapses. */
  run_at: number
  received_at: number
  finished_at: number | null
}

/** Comments that asked for something, and the comment that answers each. */
export interface CommentAnswersTable {
  site_id: string
  /** As the host names it. */
  comment_id: string
  job_id: string
  /** As the host names it. */
  pull_request_id: string
  /** The comment of ours; null until it is there. */
  answer_id: string | null
  state: 'queued' | 'working' | 'ended'
  attempt: number
  run_at: number
  created_at: number
}

/** Addresses that are told what happens. */
export interface WebhookEndpointsTable {
  id: string
  organization_id: string
  name: string
  url: string
  /** JSON array of strings. */
  events: string
  secret_sealed: string
  is_enabled: number
  /** A sentence, for one that was switched off by the service. */
  disabled_reason: string | null
  /** When the first of the tries failed after which none has succeeded. */
  failing_since: number | null
  created_at: number
}

/** What happened, as it is told. */
export interface WebhookEventsTable {
  id: string
  organization_id: string
  type: string
  /** JSON, byte for byte as it is sent. */
  body: string
  created_at: number
}

/** An event and an endpoint that is to know of it. The row is the queue. */
export interface WebhookSendsTable {
  id: string
  endpoint_id: string
  event_id: string
  state: 'queued' | 'succeeded' | 'failed'
  /** Counts the claims. */
  attempt: number
  /** Counts what was sent since it was last queued by somebody. */
  tries: number
  run_at: number
  /** Of the newest try, these five. */
  status: number | null
  duration_ms: number | null
  failure: string | null
  reply: string | null
  tried_at: number | null
  created_at: number
}

/** Contents that replicas share, by the SHA-256 of what they are. */
export interface BlobsTable {
  /** 64 hexadecimal digits. */
  hash: string
  /** Bytes. */
  size: number
  /** When it was last stored, or last let go of: what nothing names goes a while after. */
  touched_at: number
}

/** The bytes of contents that lie in the database, in pieces. */
export interface BlobChunksTable {
  hash: string
  /** From 0. */
  seq: number
  bytes: Uint8Array
}

/** The files of a generation of an index. */
export interface IndexBlobsTable {
  generation_id: string
  part: 'index' | 'vectors'
  hash: string
  /** Of vectors: the model that made them. */
  model: string | null
}

/** What a repository of the built-in host holds, whichever replica has it on its disk. */
export interface RepositoryStatesTable {
  repository_id: string
  /** Counts the changes, from 1. */
  version: number
  /** The full name of the ref that `HEAD` names. */
  head: string
  /** JSON object: full names of refs and full ids of what they name. */
  refs: string
  /** What git keeps of a history that is cut off; null for a whole one. */
  shallow: string | null
}

/** The packs that hold the objects of a repository, all of them together. */
export interface RepositoryPacksTable {
  repository_id: string
  hash: string
  /** The version that brought it. */
  version: number
}

/** What one replica at a time does. */
export interface LeasesTable {
  name: string
  owner: string
  lease_until: number
}

/** Apps of organizations on code hosts. */
export interface CodeHostAppsTable {
  id: string
  organization_id: string
  kind: 'github'
  origin: string
  app_id: string
  slug: string
  private_key_sealed: string
  webhook_secret_sealed: string | null
  has_verified_commits: number
  created_at: number
}

/** Repositories that the agent reads beside those of the sites. */
export interface ContextRepositoriesTable {
  id: string
  site_id: string
  name: string
  /** JSON object. */
  source: string
  credential_sealed: string | null
  created_at: number
}

/** Jobs that are made again and again. */
export interface AutomationsTable {
  id: string
  site_id: string
  name: string
  is_enabled: number
  prompt: string
  /** JSON object. */
  trigger: string
  open_max: number
  daily_max: number
  revision: string | null
  covered_revision: string | null
  version: number
  started: number
  due_at: number | null
  claimed_until: number | null
  failure: string | null
  created_at: number
  updated_at: number
}

/** Firings of automations. The row is the queue of what is to be done about it. */
export interface AutomationRunsTable {
  id: string
  automation_id: string
  occurrence: string
  cause: 'manual' | 'merge' | 'push' | 'schedule'
  from_revision: string | null
  to_revision: string | null
  state: 'queued' | 'started' | 'skipped' | 'failed'
  outcome: string | null
  job_id: string | null
  attempt: number
  run_at: number
  created_at: number
  finished_at: number | null
}

export type Row<Table extends keyof Database> = Selectable<Database[Table]>
export type NewRow<Table extends keyof Database> = Insertable<Database[Table]>
