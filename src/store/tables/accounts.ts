import { childOf, id, integer, items, nullable, primaryKey, table, text, time, unique } from './define-table.ts'

/** A changed field; both values are formatted for people. */
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
  /** A separate table, because its logo is read for pictures alone. */
  brands: table({
    organizationId: primaryKey(childOf('organizations.id')),
    /** Such as `#5b3bb0`. */
    color: nullable(text()),
    /** In base64. */
    logo: nullable(text()),
    /** Changes with the brand: part of the addresses of its files. */
    version: text(),
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
      /** Lowercase; null for an owner who has not set one yet. Unique across the whole installation. */
      email: nullable(text()),
      passwordHash: nullable(text()),
      lastSignInAt: nullable(time()),
    },
    { indexes: { byOrganization: ['organizationId', 'id'], byEmail: { columns: ['email'], isUnique: true } } },
  ),
  /** Users by the issuer and subject of OpenID Connect tokens. */
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
      /** When the session expires unless it is used. */
      idleUntil: time(),
    },
    { indexes: { byUser: ['userId'], byExpiry: ['expiresAt'] } },
  ),
  /** Links that open a session. Only hashes are stored, so that the database alone cannot sign anyone in. */
  signInLinks: table(
    {
      hash: primaryKey(text()),
      userId: childOf('users.id'),
      createdAt: time(),
      expiresAt: time(),
    },
    { indexes: { byUser: ['userId'], byExpiry: ['expiresAt'] } },
  ),
  /** Failed sign-in attempts, by account and by network. */
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
      /** The only address that may accept it, lowercase; null: anyone with the link. */
      email: nullable(text()),
      /** Name of the member who invited. */
      invitedBy: text(),
      createdAt: time(),
      expiresAt: time(),
      usedAt: nullable(time()),
      revokedAt: nullable(time()),
    },
    { indexes: { byOrganization: ['organizationId', 'id'] } },
  ),
  /** Views of the insights, each member's own. */
  savedViews: table(
    {
      id: id(),
      userId: childOf('users.id'),
      name: text(),
      /** The query of the dashboard's address. */
      query: text(),
      createdAt: time(),
    },
    { unique: ['userId', 'name'] },
  ),
  auditLog: table(
    {
      id: id(),
      organizationId: childOf('organizations.id'),
      actorKind: text<'key' | 'user' | 'local' | 'anonymous'>(),
      actorId: nullable(text()),
      actorName: text(),
      /** The client's IP address. */
      address: text(),
      action: text(),
      targetKind: nullable(text()),
      targetId: nullable(text()),
      targetName: nullable(text()),
      /** Null if the action needs no details. */
      changes: nullable(items<AuditChange>()),
      createdAt: time(),
    },
    { indexes: { byOrganization: ['organizationId', 'id'], byTime: ['createdAt'] } },
  ),
}
