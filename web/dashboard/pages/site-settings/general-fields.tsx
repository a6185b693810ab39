import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Card } from '../../../ui/card.tsx'
import { Section } from '../../../ui/section.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { describeFieldError } from '../../api/api-error.ts'
import type { SettingsForm } from './settings-form.ts'

export interface SettingsFieldsProps {
  site: SiteResource
  form: SettingsForm
  /** What the service said of what was sent. */
  error: unknown
  onChange(part: Partial<SettingsForm>): void
}

export function GeneralFields({ form, error, onChange }: SettingsFieldsProps) {
  return (
    <Section title="General">
      <Card>
        <TextField
          label="Name"
          required
          maxLength={200}
          value={form.name}
          onValueChange={(name) => onChange({ name })}
          error={describeFieldError(error, 'The name', 'name')}
        />
        <TextField
          label="Address for readers"
          type="url"
          description="Where readers find the site. Links in answers lead there."
          value={form.url}
          onValueChange={(url) => onChange({ url })}
          error={describeFieldError(error, 'The address', 'url')}
        />
        <TextAreaField
          label="Host names"
          isOptional
          rows={2}
          placeholder="docs.example.com"
          description="Stand for the slug in the addresses of the API, one on each line."
          value={form.hostnames}
          onValueChange={(hostnames) => onChange({ hostnames })}
          error={describeFieldError(error, 'A host name', 'hostnames')}
        />
      </Card>
    </Section>
  )
}
