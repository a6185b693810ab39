import type { AnswerOption } from '../../contract/answer-options.ts'
import type { KeyPurpose } from '../../contract/key-defaults.ts'
import { childOf, id, integer, items, nullable, strings, table, text, time, unique } from './define-table.ts'

export type KeyScope = 'read' | 'write'

export const keyTables = {
  keys: table(
    {
      id: id(),
      kind: text<'admin' | 'assistant'>(),
      organizationId: childOf('organizations.id'),
      /** Set on assistant keys, null on admin keys. */
      siteId: nullable(childOf('sites.id')),
      name: text(),
      hash: unique(text()),
      /** The last four characters of the secret. */
      hint: text(),
      scopes: items<KeyScope>(),
      ipRanges: strings(),
      origins: strings(),
      groups: strings(),
      answerOptions: items<AnswerOption>(),
      expiresAt: nullable(time()),
      revokedAt: nullable(time()),
      lastUsedAt: nullable(time()),
      createdAt: time(),
      /** When requests with the key need a session. */
      session: text<'off' | 'pressure' | 'always'>(),
      /** Requests per minute and network; more counts as pressure. */
      normalPerMinute: integer(),
      /** Null on admin keys. */
      purpose: nullable(text<KeyPurpose>()),
      /** Most requests per network in a minute and in a UTC day; 0: no limit. */
      networkPerMinute: integer(),
      networkPerDay: integer(),
      /** Percentage of the key's monthly answers that one network may use in a day; 0: no limit. */
      networkSharePercent: integer(),
    },
    {
      indexes: {
        byOrganization: ['organizationId', 'id'],
        bySite: ['siteId', 'id'],
        ofPages: { columns: ['siteId'], isUnique: true, where: "purpose = 'pages' and revoked_at is null" },
      },
    },
  ),
}
