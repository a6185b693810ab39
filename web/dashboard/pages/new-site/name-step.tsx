import { StepHeading } from '../../../ui/steps.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { FormView } from '../../forms/form-view.tsx'
import type { FormState } from '../../forms/use-form.ts'
import type { SiteForm } from './site-form.ts'

/** What the site is called; then it is made. */
export function NameStep({ form, onBack }: { form: FormState<SiteForm>; onBack(): void }) {
  return (
    <FormView form={form} action="Add the site" actions={<Button onClick={onBack}>Back</Button>}>
      <StepHeading>What it is called</StepHeading>
      <TextField label="Name" description="For people." required maxLength={200} {...form.field('name', 'The name')} />
      <TextField
        label="Slug"
        description="Names the site in addresses: a-z, 0-9 and hyphens. It cannot be changed later."
        required
        maxLength={63}
        autoComplete="off"
        spellCheck={false}
        {...form.field('slug', 'The slug')}
      />
      <TextField
        label="Address for readers"
        isOptional
        type="url"
        placeholder="https://docs.example.com"
        description="Where the pages are published, so that the links of answers lead there. Without it, Docent serves them itself."
        {...form.field('url', 'The address')}
      />
    </FormView>
  )
}
