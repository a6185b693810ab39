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
  /** Null on admin keys. */
  purpose: 'website' | 'server' | null
  session: 'off' | 'pressure' | 'always'
  normal_per_minute: number
  /** 0, these three: no limit. */
  network_per_minute: number
  network_per_day: number
  network_share_percent: number
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

export interface InstallationTable {
  name: string
  value: string
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
  /** JSON: see `AuditChange`. */
  changes: string | null
  created_at: number
}
