import { integer, primaryKey, table, text, time } from './define-table.ts'

export const installationTables = {
  installation: table({
    name: primaryKey(text()),
    value: text(),
  }),
  counters: table(
    {
      name: text(),
      subject: text(),
      windowStart: time(),
      count: integer(),
    },
    { primaryKey: ['name', 'subject', 'windowStart'], indexes: { byWindow: ['windowStart'] } },
  ),
  /** Tasks that one replica at a time performs. */
  leases: table(
    {
      name: primaryKey(text()),
      owner: text(),
      leaseUntil: time(),
    },
    { uncopied: 'It describes running processes only.' },
  ),
}
