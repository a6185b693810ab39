import { StepHeading } from '../../../ui/steps.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { FormView } from '../../forms/form-view.tsx'
import type { FormState } from '../../forms/use-form.ts'
import type { SiteForm } from './site-form.ts'
import { say } from '../../../words/say.ts'

/** Names the site and creates it. */
export function NameStep({ form, onBack }: { form: FormState<SiteForm>; onBack(): void }) {
  return (
    <FormView form={form} action={say('Add site')} actions={<Button onClick={onBack}>{say('Back')}</Button>}>
      <StepHeading>{say('Name the site')}</StepHeading>
      <TextField
        label={say('Name')}
        description={say('Shown to people.')}
        required
        maxLength={200}
        {...form.field('name', say('The name'))}
      />
      <TextField
        label={say('Public URL')}
        isOptional
        type="url"
        placeholder="https://docs.example.com"
        description={say(
          'Where the pages are published; links in answers lead there. If empty, Docent serves the pages itself.',
        )}
        {...form.field('url', say('The address'))}
      />
      <MoreFields>
        <TextField
          label={say('Slug')}
          description={say('Identifies the site in URLs: a-z, 0-9 and hyphens. It cannot be changed later.')}
          required
          maxLength={63}
          autoComplete="off"
          spellCheck={false}
          {...form.field('slug', say('The slug'))}
        />
      </MoreFields>
    </FormView>
  )
}
