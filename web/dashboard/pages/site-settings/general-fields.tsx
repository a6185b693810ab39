import { Card } from '../../../ui/card.tsx'
import { Section } from '../../../ui/section.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import type { FormState } from '../../forms/use-form.ts'
import type { SettingsForm } from './settings-form.ts'

export function GeneralFields({ form }: { form: FormState<SettingsForm> }) {
  return (
    <Section title="General">
      <Card>
        <TextField label="Name" required maxLength={200} {...form.field('name', 'The name')} />
        <TextField
          label="Public URL"
          type="url"
          description="Where readers find the site. Links in answers lead there."
          {...form.field('url', 'The URL')}
        />
        <TextAreaField
          label="Host names"
          isOptional
          rows={2}
          placeholder="docs.example.com"
          description="Accepted instead of the slug in API paths, one per line."
          {...form.field('hostnames', 'A host name')}
        />
      </Card>
    </Section>
  )
}
