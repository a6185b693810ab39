import { Card } from '../../../ui/card.tsx'
import { CheckboxField } from '../../../ui/choice-field.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { Section } from '../../../ui/section.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { describeFieldError } from '../../api/api-error.ts'
import type { SettingsFieldsProps } from './general-fields.tsx'

const suggestions = [
  {
    value: 'suggestions',
    label: 'End answers with links to further pages',
    description: 'In a fenced block named suggestions, which clients draw.',
  },
] as const

export interface AssistantFieldsProps extends SettingsFieldsProps {
  isOwner: boolean
  mayEdit: boolean
}

/** How questions are answered from the site. */
export function AssistantFields({ form, error, onChange, isOwner, mayEdit }: AssistantFieldsProps) {
  return (
    <Section title="Assistant">
      <Card>
        <TextAreaField
          label="Instructions"
          isOptional
          rows={6}
          maxLength={4_000}
          readOnly={!mayEdit}
          description="What the model is told besides its own instructions: tone, terms, what to point to. The offline model does not read them."
          value={form.instructions}
          onValueChange={(instructions) => onChange({ instructions })}
          error={describeFieldError(error, 'The instructions', 'settings.instructions')}
        />
        {isOwner ? <OwnersFields form={form} error={error} onChange={onChange} /> : null}
      </Card>
    </Section>
  )
}

function OwnersFields({ form, error, onChange }: Omit<SettingsFieldsProps, 'site'>) {
  return (
    <>
      <FormColumns>
        <TextField
          label="Most US dollars in a day"
          isOptional
          pattern="unlimited|[0-9]+([.][0-9]+)?"
          title="An amount such as 5, or the word unlimited"
          description="What answers may cost in a UTC day; beyond that, the offline model answers. Empty: the ceiling of the installation. unlimited: none."
          value={form.dailyCostUsdMax}
          onValueChange={(dailyCostUsdMax) => onChange({ dailyCostUsdMax })}
          error={describeFieldError(error, 'The ceiling', 'settings.dailyCostUsdMax')}
        />
        <TextField
          label="Most tokens in a day"
          isOptional
          pattern="unlimited|[0-9]+"
          title="A number such as 5000000, or the word unlimited"
          description="The same for models whose price is not known."
          value={form.dailyTokensMax}
          onValueChange={(dailyTokensMax) => onChange({ dailyTokensMax })}
          error={describeFieldError(error, 'The ceiling', 'settings.dailyTokensMax')}
        />
        <TextField
          label="Support contact"
          isOptional
          placeholder="support@example.com"
          description="An e-mail or web address that is offered when a question stays unanswered."
          value={form.supportContact}
          onValueChange={(supportContact) => onChange({ supportContact })}
          error={describeFieldError(error, 'The support contact', 'settings.supportContact')}
        />
      </FormColumns>
      <CheckboxField
        legend="Suggestions"
        choices={suggestions}
        values={form.suggestions ? ['suggestions'] : []}
        onValuesChange={(values) => onChange({ suggestions: values.length > 0 })}
      />
    </>
  )
}
