import { childOf, id, integer, items, nullable, primaryKey, table, text, time, unique } from './define-table.ts'

/** A field that was changed, with both values as people read them. */
export interface AuditChange {
  field: string
  from: string
  to: string
}

export const accountTables = {
  organizations: table({
    id: id(),
    name: text(),
    createdAt: time(),
  }),
  projects: table(
    {
      id: id(),
      organizationId: childOf('organizations.id'),
      name: text(),
      createdAt: time(),
    },
    { indexes: { byOrganization: ['organizationId', 'id'] } },
  ),
  users: table(
    {
      id: id(),
      organizationId: childOf('organizations.id'),
      name: text(),
      role: text<'viewer' | 'editor' | 'owner'>(),
      createdAt: time(),
      /** In lower case; null for an owner who has set none yet. */
      email: nullable(text()),
      passwordHash: nullable(text()),
      lastSignInAt: nullable(time()),
    },
    { indexes: { byOrganization: ['organizationId', 'id'], byEmail: { columns: ['email'], isUnique: true } } },
  ),
  /** Whom a provider of OpenID Connect means, by the issuer and the subject of its tokens. */
  userIdentities: table(
    {
      issuer: text(),
      subject: text(),
      userId: childOf('users.id'),
      createdAt: time(),
    },
    { primaryKey: ['issuer', 'subject'], indexes: { byUser: ['userId'] } },
  ),
  sessions: table(
    {
      hash: primaryKey(text()),
      userId: childOf('users.id'),
      createdAt: time(),
      expiresAt: time(),
      /** When it ends unless it is used; null for sessions that an older version began. */
      idleUntil: nullable(time()),
    },
    { indexes: { byUser: ['userId'], byExpiry: ['expiresAt'] } },
  ),
  /** Links that open a session. */
  signInLinks: table(
    {
      hash: primaryKey(text()),
      userId: childOf('users.id'),
      createdAt: time(),
      expiresAt: time(),
    },
    { indexes: { byUser: ['userId'], byExpiry: ['expiresAt'] } },
  ),
  /** Attempts to sign in that are not known to have succeeded, by account and by network. */
  signInAttempts: table(
    {
      subject: primaryKey(text()),
      failures: integer(),
      blockedUntil: time(),
      updatedAt: time(),
    },
    { indexes: { byUpdate: ['updatedAt'] } },
  ),
  invitations: table(
    {
      id: id(),
      organizationId: childOf('organizations.id'),
      hash: unique(text()),
      role: text<'viewer' | 'editor' | 'owner'>(),
      email: nullable(text()),
      /** The name of who made it. */
      invitedBy: text(),
      createdAt: time(),
      expiresAt: time(),
      usedAt: nullable(time()),
      revokedAt: nullable(time()),
    },
    { indexes: { byOrganization: ['organizationId', 'id'] } },
  ),
  auditLog: table(
    {
      id: id(),
      organizationId: childOf('organizations.id'),
      actorKind: text<'key' | 'user' | 'local' | 'anonymous'>(),
      actorId: nullable(text()),
      actorName: text(),
      address: text(),
      action: text(),
      targetKind: nullable(text()),
      targetId: nullable(text()),
      targetName: nullable(text()),
      changes: nullable(items<AuditChange>()),
      createdAt: time(),
    },
    { indexes: { byOrganization: ['organizationId', 'id'], byTime: ['createdAt'] } },
  ),
}
