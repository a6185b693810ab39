import { Card } from '../../../ui/card.tsx'
import { YesNoField } from '../../../ui/choice-field.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { Section } from '../../../ui/section.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import type { FormState } from '../../forms/use-form.ts'
import type { SettingsForm } from './settings-form.ts'

export interface AssistantFieldsProps {
  form: FormState<SettingsForm>
  isOwner: boolean
  mayEdit: boolean
}

/** How questions are answered from the site. */
export function AssistantFields({ form, isOwner, mayEdit }: AssistantFieldsProps) {
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
          {...form.field('instructions', 'The instructions', 'settings.instructions')}
        />
        {isOwner ? <OwnersFields form={form} /> : null}
      </Card>
    </Section>
  )
}

function OwnersFields({ form }: Pick<AssistantFieldsProps, 'form'>) {
  return (
    <>
      <FormColumns>
        <TextField
          label="Most US dollars in a day"
          isOptional
          pattern="unlimited|[0-9]+([.][0-9]+)?"
          title="An amount such as 5, or the word unlimited"
          description="What answers may cost in a UTC day; beyond that, the offline model answers. Empty: the ceiling of the installation. unlimited: none."
          {...form.field('dailyCostUsdMax', 'The ceiling', 'settings.dailyCostUsdMax')}
        />
        <TextField
          label="Most tokens in a day"
          isOptional
          pattern="unlimited|[0-9]+"
          title="A number such as 5000000, or the word unlimited"
          description="The same for models whose price is not known."
          {...form.field('dailyTokensMax', 'The ceiling', 'settings.dailyTokensMax')}
        />
        <TextField
          label="Support contact"
          isOptional
          placeholder="support@example.com"
          description="An e-mail or web address that is offered when a question stays unanswered."
          {...form.field('supportContact', 'The support contact', 'settings.supportContact')}
        />
      </FormColumns>
      <YesNoField
        legend="Suggestions"
        label="End answers with links to further pages"
        description="In a fenced block named suggestions, which clients draw."
        {...form.field('suggestions')}
      />
    </>
  )
}
