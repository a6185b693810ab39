import { childOf, id, integer, items, nullable, strings, table, text, time, unique } from './define-table.ts'

export type KeyScope = 'read' | 'write'

export const keyTables = {
  keys: table(
    {
      id: id(),
      kind: text<'admin' | 'assistant'>(),
      organizationId: childOf('organizations.id'),
      siteId: nullable(childOf('sites.id')),
      name: text(),
      hash: unique(text()),
      hint: text(),
      scopes: items<KeyScope>(),
      ipRanges: strings(),
      origins: strings(),
      groups: strings(),
      expiresAt: nullable(time()),
      revokedAt: nullable(time()),
      lastUsedAt: nullable(time()),
      createdAt: time(),
      session: text<'off' | 'pressure' | 'always'>(),
      normalPerMinute: integer(),
      /** Null on admin keys. */
      purpose: nullable(text<'website' | 'server'>()),
      /** 0, these three: no limit. */
      networkPerMinute: integer(),
      networkPerDay: integer(),
      networkSharePercent: integer(),
    },
    { indexes: { byOrganization: ['organizationId', 'id'], bySite: ['siteId', 'id'] } },
  ),
}
