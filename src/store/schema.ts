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
  sessions: UserTokensTable
  sign_in_links: UserTokensTable
  agent_jobs: AgentJobsTable
  job_messages: JobMessagesTable
  job_steps: JobStepsTable
  job_events: JobEventsTable
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
  role: 'owner'
  created_at: number
}

/** Sessions, and links that open one. */
export interface UserTokensTable {
  hash: string
  user_id: string
  created_at: number
  expires_at: number
}

export type Row<Table extends keyof Database> = Selectable<Database[Table]>
export type NewRow<Table extends keyof Database> = Insertable<Database[Table]>
