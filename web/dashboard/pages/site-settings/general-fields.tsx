import { Card } from '../../../ui/card.tsx'
import { Section } from '../../../ui/section.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import type { FormState } from '../../forms/use-form.ts'
import type { SettingsForm } from './settings-form.ts'
import { say } from '../../../words/say.ts'

export function GeneralFields({ form }: { form: FormState<SettingsForm> }) {
  return (
    <Section title={say('General')}>
      <Card>
        <TextField label={say('Name')} required maxLength={200} {...form.field('name', say('The name'))} />
        <TextField
          label={say('Public URL')}
          type="url"
          description={say('Where readers find the site. Links in answers lead there.')}
          {...form.field('url', say('The URL'))}
        />
        <TextAreaField
          label={say('Host names')}
          isOptional
          rows={2}
          placeholder="docs.example.com"
          description={say('Accepted instead of the slug in API paths, one per line.')}
          {...form.field('hostnames', say('A host name'))}
        />
      </Card>
    </Section>
  )
}
