import type { SiteResource } from '../../../../src/contract/admin.ts'
import { YesNoField } from '../../../ui/choice-field.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import type { FormState } from '../../forms/use-form.ts'
import { type AutomationForm, triggerOptions } from './automation-form.ts'

export interface AutomationFieldsProps {
  form: FormState<AutomationForm>
  /** Sites to choose from; null if the site can no longer change. */
  sites: readonly SiteResource[] | null
}

export function AutomationFields({ form, sites }: AutomationFieldsProps) {
  return (
    <>
      <TextField label="Name" required maxLength={200} {...form.field('name', 'The name')} />
      {sites === null || sites.length === 1 ? null : (
        <SelectField
          label="Site"
          options={sites.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.field('siteId', 'The site', 'site')}
        />
      )}
      <TextAreaField
        label="Instructions"
        description="Placeholders: {{branch}}, {{date}} and {{repository}}; after a change in a repository also {{commits}}, {{files}}, {{from}} and {{to}}."
        required
        rows={5}
        {...form.field('prompt', 'The text')}
      />
      <TriggerFields form={form} />
      <MoreFields>
        <FormColumns>
          <TextField
            label="Maximum open pull requests"
            type="number"
            min={1}
            max={20}
            required
            {...form.field('openPullRequestsMax', 'The number')}
          />
          <TextField
            label="Maximum runs per day"
            type="number"
            min={1}
            max={100}
            required
            {...form.field('runsPerDayMax', 'The number')}
          />
        </FormColumns>
        <YesNoField legend="State" label="Enabled" {...form.field('isEnabled')} />
      </MoreFields>
    </>
  )
}

function TriggerFields({ form }: Pick<AutomationFieldsProps, 'form'>) {
  return (
    <>
      <SelectField label="Trigger" options={triggerOptions} {...form.field('trigger')} />
      {form.values.trigger === 'schedule' ? (
        <FormColumns>
          <TextField
            label="Schedule"
            description="Cron: minute, hour, day of month, month, day of week."
            required
            {...form.field('cron', 'The schedule', 'trigger')}
          />
          <TextField label="Time zone" required {...form.field('timeZone')} />
        </FormColumns>
      ) : null}
      {form.values.trigger === 'merge' ? (
        <TextField
          label="Repository"
          description="Name of a context repository of the site."
          required
          {...form.field('repository', 'The repository', 'trigger.repository')}
        />
      ) : null}
    </>
  )
}
