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
