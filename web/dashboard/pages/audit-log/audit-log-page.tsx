import { useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import type { AuditEntryResource } from '../../../../src/contract/accounts.ts'
import type { Column } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { describeAction } from './audit-actions.ts'
import classes from './audit-log-page.module.css'
import { AuditFilters } from './audit-filters.tsx'
import { type AuditSearch, readAuditSearch, toAuditQuery } from './audit-search.ts'
import { accountOperations } from '../../../../src/contract/operations/accounts.ts'
import { usePages } from '../../api/use-pages.ts'
import { ListTable } from '../../shell/list-table.tsx'
import { say } from '../../../words/say.ts'

const columns: [Column<AuditEntryResource>, ...Column<AuditEntryResource>[]] = [
  {
    title: say('Action'),
    sortBy: ({ action }) => describeAction(action),
    render: ({ action }) => describeAction(action),
  },
  {
    title: say('Target'),
    sortBy: ({ target }) => target?.name ?? target?.kind ?? null,
    render: ({ target, changes }) => <AuditTarget target={target} changes={changes} />,
  },
  { title: say('Actor'), sortBy: ({ actor }) => actor.name, render: ({ actor }) => actor.name },
  { title: say('IP address'), sortBy: ({ address }) => address, render: ({ address }) => <code>{address}</code> },
  {
    title: say('Time'),
    sortBy: ({ createdAt }) => createdAt,
    render: ({ createdAt }) => <TimeText time={createdAt} />,
  },
]

function AuditTarget({ target, changes }: Pick<AuditEntryResource, 'target' | 'changes'>) {
  return (
    <>
      {target === null ? '–' : (target.name ?? target.id ?? target.kind)}
      {changes.length === 0 ? null : (
        <ul className={classes.changes}>
          {changes.map(({ field, from, to }) => (
            <li key={field}>
              {field}: {from || say('none')} → {to || say('none')}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export function AuditLogPage() {
  const { cursor: shown, ...filter } = readAuditSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change = (change: AuditSearch) => {
    const next = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined)
    void navigate({ to: '.', search: Object.fromEntries(next) as never, resetScroll: false })
  }
  const list = usePages(
    accountOperations.listAuditEntries,
    { query: toAuditQuery(filter) },
    { rowsOfPage: 100, address: { shown, show: (cursor) => change({ cursor }) } },
  )
  const isNarrowed = Object.keys(filter).length > 0
  const empty = (
    <EmptyState
      icon={<ScrollText aria-hidden />}
      title={isNarrowed ? say('No matching entries') : say('No entries yet')}
    >
      {say('Sign-ins and changes to keys, members, settings and sites appear here.')}
    </EmptyState>
  )
  return (
    <>
      <PageHeader title={say('Audit log')}>{say('Who changed what in this organization, and from where.')}</PageHeader>
      <AuditFilters search={filter} onChange={change} />
      <ListTable list={list} caption={say('Audit log')} columns={columns} empty={empty} />
    </>
  )
}
