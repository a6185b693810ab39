import { StepHeading } from '../../../ui/steps.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { FormView } from '../../forms/form-view.tsx'
import type { FormState } from '../../forms/use-form.ts'
import type { SiteForm } from './site-form.ts'

/** Names the site and creates it. */
export function NameStep({ form, onBack }: { form: FormState<SiteForm>; onBack(): void }) {
  return (
    <FormView form={form} action="Add site" actions={<Button onClick={onBack}>Back</Button>}>
      <StepHeading>Name the site</StepHeading>
      <TextField
        label="Name"
        description="Shown to people."
        required
        maxLength={200}
        {...form.field('name', 'The name')}
      />
      <TextField
        label="Public URL"
        isOptional
        type="url"
        placeholder="https://docs.example.com"
        description="Where the pages are published; links in answers lead there. If empty, Docent serves the pages itself."
        {...form.field('url', 'The address')}
      />
      <MoreFields>
        <TextField
          label="Slug"
          description="Identifies the site in URLs: a-z, 0-9 and hyphens. It cannot be changed later."
          required
          maxLength={63}
          autoComplete="off"
          spellCheck={false}
          {...form.field('slug', 'The slug')}
        />
      </MoreFields>
    </FormView>
  )
}
