import type { SiteResource } from '../../../../src/contract/admin.ts'
import { CheckboxField, RadioField } from '../../../ui/choice-field.tsx'
import { SelectField, type SelectOption } from '../../../ui/select-field.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { describeFieldError } from '../../api/api-error.ts'
import { choosePurpose, type KeyForm } from './key-form.ts'
import classes from './key-fields.module.css'
import { KeyProtectionFields } from './key-protection-fields.tsx'

export interface KeyFieldsProps {
  form: KeyForm
  expiryOptions: readonly SelectOption[]
  /** Not given for a key that exists: its kind and site are fixed. */
  sites?: readonly SiteResource[]
  /** What the service said of the form that was sent. */
  error: unknown
  onChange(part: Partial<KeyForm>): void
}

const kinds = [
  { value: 'assistant', label: 'Assistant key', description: 'Asks questions about one site.' },
  { value: 'admin', label: 'Admin key', description: 'Agent and administration. For servers only.' },
] as const

const purposes = [
  {
    value: 'website',
    label: 'A website',
    description: 'Anybody can read the key in the page, so usage per visitor is limited.',
  },
  {
    value: 'server',
    label: 'A server',
    description: 'Your server keeps the key and asks for all readers, so one address may use all of it.',
  },
] as const

const scopes = [
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Write', description: 'Includes reading.' },
] as const

/** Everything that can be said of a key. */
export function KeyFields({ form, expiryOptions, sites, error, onChange }: KeyFieldsProps) {
  const isAssistant = form.kind === 'assistant'
  return (
    <>
      {sites === undefined ? null : (
        <RadioField legend="Kind" choices={kinds} value={form.kind} onValueChange={(kind) => onChange({ kind })} />
      )}
      {isAssistant ? (
        <RadioField
          legend="What is it for?"
          choices={purposes}
          value={form.purpose}
          onValueChange={(purpose) => onChange(choosePurpose(purpose))}
        />
      ) : null}
      <TextField
        label="Name"
        description="Where the key is used, such as the documentation or the build server."
        required
        maxLength={100}
        value={form.name}
        onValueChange={(name) => onChange({ name })}
        error={describeFieldError(error, 'The name', 'name')}
      />
      <div className={classes.pair}>
        {isAssistant ? null : (
          <CheckboxField
            legend="Scopes"
            choices={scopes}
            values={form.scopes}
            onValuesChange={(scopes) => onChange({ scopes })}
          />
        )}
        {isAssistant && sites !== undefined ? (
          <SelectField
            label="Site"
            value={form.siteId}
            options={sites.map(({ id, name, slug }) => ({ value: id, label: `${name} (${slug})` }))}
            onValueChange={(siteId) => onChange({ siteId })}
            error={describeFieldError(error, 'The site', 'siteId')}
          />
        ) : null}
        <SelectField
          label="Expires"
          value={form.expiry}
          options={[...expiryOptions]}
          onValueChange={(expiry) => onChange({ expiry })}
        />
      </div>
      <KeyPlaces form={form} error={error} onChange={onChange} />
      {isAssistant ? <KeyProtectionFields form={form} error={error} onChange={onChange} /> : null}
    </>
  )
}

/** From where and for whom, which most keys leave open. */
function KeyPlaces({ form, error, onChange }: Pick<KeyFieldsProps, 'form' | 'error' | 'onChange'>) {
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
    </>
  )
}
