import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { FilterBar } from '../../../ui/form.tsx'
import { SelectField, type SelectOption } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
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
  const { action = '', actor = '' } = search
  const actions = auditActions.map((value): SelectOption => ({ value, label: describeAction(value) }))
  const isNarrowed = Object.values(search).some((value) => value !== undefined)
  return (
    <FilterBar label={say('Filters')}>
      <SelectField
        label={say('Action')}
        value={action}
        options={withChosen([{ value: '', label: say('Any action') }, ...actions], action)}
        onValueChange={(value) => onChange({ action: value || undefined })}
      />
      <SelectField
        label={say('Member or key')}
        value={actor}
        options={withChosen([{ value: '', label: say('Anyone') }, ...people], actor)}
        onValueChange={(value) => onChange({ actor: value || undefined })}
      />
      <TextField
        label={say('From')}
        type="date"
        value={search.from ?? ''}
        onValueChange={(value) => onChange({ from: value || undefined })}
      />
      <TextField
        label={say('To')}
        type="date"
        value={search.to ?? ''}
        onValueChange={(value) => onChange({ to: value || undefined })}
      />
      {isNarrowed ? (
        <Button
          look="quiet"
          onClick={() => onChange({ action: undefined, actor: undefined, from: undefined, to: undefined })}
        >
          {say('Clear')}
        </Button>
      ) : null}
    </FilterBar>
  )
}

/** Keeps values from the address that are not listed, such as a key or a removed member. */
function withChosen(options: SelectOption[], chosen: string) {
  return options.some(({ value }) => value === chosen) ? options : [...options, { value: chosen, label: chosen }]
}
