import { useQuery } from '@tanstack/react-query'
import { type ChipFilter, FilterChips } from '../../../ui/filter-chips.tsx'
import { auditActions, describeAction } from './audit-actions.ts'
import type { AuditSearch } from './audit-search.ts'
import { accountOperations } from '../../../../src/contract/operations/accounts.ts'
import { listOf } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

export interface AuditFiltersProps {
  search: AuditSearch
  onChange(change: AuditSearch): void
}

export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const members = useQuery(listOf(accountOperations.listMembers))
  const people = (members.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const actions = auditActions.map((value) => ({ value, label: describeAction(value) }))
  const filter = (name: keyof AuditSearch, label: string, more: Partial<ChipFilter>): ChipFilter => ({
    label,
    value: search[name] ?? '',
    onValueChange: (value) => onChange({ [name]: value || undefined }),
    ...more,
  })
  return (
    <FilterChips
      label={say('Filters')}
      filters={[
        filter('action', say('Action'), {
          isFixed: true,
          choices: [{ value: '', label: say('Any') }, ...actions],
        }),
        filter('actor', say('Member or key'), {
          isFixed: true,
          choices: [{ value: '', label: say('Anyone') }, ...people],
        }),
        filter('from', say('From'), { type: 'date' }),
        filter('to', say('To'), { type: 'date' }),
      ]}
    />
  )
}
