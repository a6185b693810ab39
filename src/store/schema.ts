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
  installation: InstallationTable
  stream_chats: StreamChatsTable
  stream_events: StreamEventsTable
  feedback: FeedbackTable
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
  created_at: number
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

export type Row<Table extends keyof Database> = Selectable<Database[Table]>
export type NewRow<Table extends keyof Database> = Insertable<Database[Table]>
