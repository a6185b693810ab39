import type { Insertable, Kysely, Selectable } from 'kysely'
import { accountTables } from './tables/accounts.ts'
import { agentTables } from './tables/agent.ts'
import { answerTables } from './tables/answers.ts'
import { automationTables } from './tables/automations.ts'
import { blobTables } from './tables/blobs.ts'
import { botTables } from './tables/bots.ts'
import { codeHostTables } from './tables/code-hosts.ts'
import { comparisonTables } from './tables/comparisons.ts'
import type { RowsOf } from './tables/define-table.ts'
import { digestTables } from './tables/digests.ts'
import { discrepancyTables } from './tables/discrepancies.ts'
import { driftTables } from './tables/drift.ts'
import { handOverTables } from './tables/hand-overs.ts'
import { installationTables } from './tables/installation.ts'
import { keyTables } from './tables/keys.ts'
import { sharedViewTables } from './tables/shared-views.ts'
import { siteTables } from './tables/sites.ts'
import { suiteTables } from './tables/suite.ts'
import { streamTables } from './tables/streams.ts'
import { webhookTables } from './tables/webhooks.ts'

/** All tables; referenced tables come first. */
export const areas = {
  installation: installationTables,
  accounts: accountTables,
  sites: siteTables,
  'shared-views': sharedViewTables,
  keys: keyTables,
  answers: answerTables,
  streams: streamTables,
  'code-hosts': codeHostTables,
  agent: agentTables,
  webhooks: webhookTables,
  'hand-overs': handOverTables,
  automations: automationTables,
  bots: botTables,
  discrepancies: discrepancyTables,
  drift: driftTables,
  suite: suiteTables,
  comparisons: comparisonTables,
  digests: digestTables,
  blobs: blobTables,
} as const

export interface Database
  extends
    RowsOf<typeof installationTables>,
    RowsOf<typeof accountTables>,
    RowsOf<typeof siteTables>,
    RowsOf<typeof sharedViewTables>,
    RowsOf<typeof keyTables>,
    RowsOf<typeof answerTables>,
    RowsOf<typeof streamTables>,
    RowsOf<typeof codeHostTables>,
    RowsOf<typeof agentTables>,
    RowsOf<typeof webhookTables>,
    RowsOf<typeof handOverTables>,
    RowsOf<typeof automationTables>,
    RowsOf<typeof botTables>,
    RowsOf<typeof discrepancyTables>,
    RowsOf<typeof driftTables>,
    RowsOf<typeof suiteTables>,
    RowsOf<typeof comparisonTables>,
    RowsOf<typeof digestTables>,
    RowsOf<typeof blobTables> {}

/** The database, or a transaction on it. */
export type Db = Kysely<Database>

export type Row<Name extends keyof Database> = Selectable<Database[Name]>
export type NewRow<Name extends keyof Database> = Insertable<Database[Name]>
