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

/** What the source of a generation tells the assistant, apart from the generation, because it is long and seldom read. */
export interface IndexGuidanceTable {
  generation_id: string
  /** JSON object. */
  guidance: string
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
