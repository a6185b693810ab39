import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioField, CheckboxField } from '../../../ui/choice-field.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { ApiError, describeError, describeFieldError } from '../../api/api-error.ts'
import { createKey, type KeyCreated } from '../../api/keys.ts'
import classes from './create-key-dialog.module.css'
import { emptyKeyForm, expiryOptions, type KeyForm, readKeyForm } from './key-form.ts'
import { KeySessionFields } from './key-session-fields.tsx'
import { NewKey } from './new-key.tsx'

export interface CreateKeyDialogProps {
  sites: readonly SiteResource[]
  isOpen: boolean
  onClose(): void
}

/** Makes a key, and shows it this once. */
export function CreateKeyDialog({ sites, isOpen, onClose }: CreateKeyDialogProps) {
  const [created, setCreated] = useState<KeyCreated | null>(null)
  const close = () => {
    setCreated(null)
    onClose()
  }
  return (
    <Dialog
      title={created === null ? 'Create a key' : `The key ${created.name}`}
      isOpen={isOpen}
      onClose={close}
      closesOutside={false}
    >
      {created === null ? (
        <KeyFormView sites={sites} onCreated={setCreated} onCancel={close} />
      ) : (
        <NewKey created={created} sites={sites} onDone={close} />
      )}
    </Dialog>
  )
}

interface KeyFormViewProps {
  sites: readonly SiteResource[]
  onCreated(key: KeyCreated): void
  onCancel(): void
}

function KeyFormView({ sites, onCreated, onCancel }: KeyFormViewProps) {
  const [form, setForm] = useState(() => emptyKeyForm(sites[0]?.id ?? ''))
  const client = useQueryClient()
  const create = useMutation({
    mutationFn: () => createKey(readKeyForm(form)),
    onSuccess: (created) => {
      onCreated(created)
      return client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('key') })
    },
  })
  const change = (part: Partial<KeyForm>) => setForm({ ...form, ...part })
  const hasFieldErrors = create.error instanceof ApiError && create.error.details.length > 0
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!create.isPending) create.mutate()
      }}
    >
      {create.isError && !hasFieldErrors ? <Notice tone="danger">{describeError(create.error)}</Notice> : null}
      <KeyFields form={form} sites={sites} error={create.error} onChange={change} />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={create.isPending}>
          Create key
        </Button>
      </DialogActions>
    </form>
  )
}

interface KeyFieldsProps {
  form: KeyForm
  sites: readonly SiteResource[]
  /** What the service said of the form that was sent. */
  error: unknown
  onChange(part: Partial<KeyForm>): void
}

const kinds = [
  { value: 'assistant', label: 'Assistant key', description: 'Asks questions about one site. Public.' },
  { value: 'admin', label: 'Admin key', description: 'Agent and administration. For servers only.' },
] as const

const scopes = [
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Write', description: 'Includes reading.' },
] as const

function KeyFields({ form, sites, error, onChange }: KeyFieldsProps) {
  return (
    <>
      <RadioField legend="Kind" choices={kinds} value={form.kind} onValueChange={(kind) => onChange({ kind })} />
      <TextField
        label="Name"
        description="What the key is for, such as the website or the build server."
        required
        maxLength={100}
        value={form.name}
        onValueChange={(name) => onChange({ name })}
        error={describeFieldError(error, 'The name', 'name')}
      />
      <div className={classes.pair}>
        {form.kind === 'assistant' ? (
          <SelectField
            label="Site"
            value={form.siteId}
            options={sites.map(({ id, name, slug }) => ({ value: id, label: `${name} (${slug})` }))}
            onValueChange={(siteId) => onChange({ siteId })}
            error={describeFieldError(error, 'The site', 'siteId')}
          />
        ) : (
          <CheckboxField
            legend="Scopes"
            choices={scopes}
            values={form.scopes}
            onValuesChange={(scopes) => onChange({ scopes })}
          />
        )}
        <SelectField
          label="Expires"
          value={form.expiry}
          options={expiryOptions}
          onValueChange={(expiry) => onChange({ expiry })}
        />
      </div>
      <KeyLimits form={form} error={error} onChange={onChange} />
    </>
  )
}

/** From where and for whom, which most keys leave open. */
function KeyLimits({ form, error, onChange }: Omit<KeyFieldsProps, 'sites'>) {
  return (
    <>
      {form.kind === 'assistant' ? (
        <TextAreaField
          label="Allowed origins"
          isOptional
          rows={2}
          placeholder="https://docs.example.com"
          description="Websites that may use the key, one on each line. Any without it."
          value={form.origins}
          onValueChange={(origins) => onChange({ origins })}
          error={describeFieldError(error, 'An origin', 'origins')}
        />
      ) : null}
      <TextAreaField
        label="Allowed IP addresses"
        isOptional
        rows={2}
        placeholder="192.0.2.0/24"
        description="Addresses or CIDR ranges, one on each line. Any without it."
        value={form.ipRanges}
        onValueChange={(ipRanges) => onChange({ ipRanges })}
        error={describeFieldError(error, 'An address', 'ipRanges')}
      />
      {form.kind === 'assistant' ? (
        <TextField
          label="Reader groups"
          isOptional
          description="Groups whose pages holders of the key may see, separated by commas."
          value={form.groups}
          onValueChange={(groups) => onChange({ groups })}
          error={describeFieldError(error, 'A group', 'groups')}
        />
      ) : null}
      {form.kind === 'assistant' ? <KeySessionFields form={form} error={error} onChange={onChange} /> : null}
    </>
  )
}
