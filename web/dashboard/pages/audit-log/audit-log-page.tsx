import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import type { AuditEntryResource } from '../../../../src/contract/accounts.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { useAddressPages } from '../../api/address-pages.ts'
import { auditLogQuery } from '../../api/audit-log.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { describeAction } from './audit-actions.ts'
import classes from './audit-log-page.module.css'
import { AuditFilters } from './audit-filters.tsx'
import { type AuditSearch, readAuditSearch } from './audit-search.ts'

const columns: [Column<AuditEntryResource>, ...Column<AuditEntryResource>[]] = [
  { title: 'What', render: ({ action }) => describeAction(action) },
  { title: 'Of', render: ({ target, changes }) => <AuditTarget target={target} changes={changes} /> },
  { title: 'Who', render: ({ actor }) => actor.name },
  { title: 'From', render: ({ address }) => <code>{address}</code> },
  { title: 'When', render: ({ createdAt }) => <TimeText time={createdAt} /> },
]

function AuditTarget({ target, changes }: Pick<AuditEntryResource, 'target' | 'changes'>) {
  return (
    <>
      {target === null ? '–' : (target.name ?? target.id ?? target.kind)}
      {changes.length === 0 ? null : (
        <ul className={classes.changes}>
          {changes.map(({ field, from, to }) => (
            <li key={field}>
              {field}: {from || 'none'} → {to || 'none'}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Who did what, newest first. */
export function AuditLogPage() {
  const { cursor: shown, ...filter } = readAuditSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change = (change: AuditSearch) => {
    const next = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined)
    void navigate({ to: '.', search: Object.fromEntries(next) as never, resetScroll: false })
  }
  const { cursor, toTablePages } = useAddressPages(shown, (cursor) => change({ cursor }))
  const entries = useQuery({ ...auditLogQuery(filter, cursor), placeholderData: keepPreviousData })
  const isNarrowed = Object.keys(filter).length > 0
  return (
    <>
      <PageHeader title="Audit log">Who changed what in this organization, and from where.</PageHeader>
      <AuditFilters search={filter} onChange={change} />
      <Loaded query={entries}>
        {({ items, nextCursor }) =>
          items.length === 0 && cursor === null ? (
            <EmptyState icon={<ScrollText aria-hidden />} title={isNarrowed ? 'No such entries' : 'Nothing yet'}>
              Signing in, keys, members, settings and sites leave an entry here.
            </EmptyState>
          ) : (
            <DataTable
              caption="Audit log"
              columns={columns}
              rows={items}
              keyOf={({ id }) => id}
              pages={toTablePages(nextCursor)}
            />
          )
        }
      </Loaded>
    </>
  )
}
