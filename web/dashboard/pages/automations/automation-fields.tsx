import type { SiteResource } from '../../../../src/contract/admin.ts'
import { YesNoField } from '../../../ui/choice-field.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import type { FormState } from '../../forms/use-form.ts'
import { type AutomationForm, triggerOptions } from './automation-form.ts'

export interface AutomationFieldsProps {
  form: FormState<AutomationForm>
  /** What can be chosen; null where the site cannot be changed any more. */
  sites: readonly SiteResource[] | null
}

export function AutomationFields({ form, sites }: AutomationFieldsProps) {
  return (
    <>
      <TextField label="Name" required maxLength={200} {...form.field('name', 'The name')} />
      {sites === null ? null : (
        <SelectField
          label="Site"
          options={sites.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.field('siteId', 'The site', 'site')}
        />
      )}
      <TextAreaField
        label="What to do"
        description="{{branch}}, {{date}} and {{repository}} are filled in; where a repository has changed, also {{commits}}, {{files}}, {{from}} and {{to}}."
        required
        rows={5}
        {...form.field('prompt', 'The text')}
      />
      <TriggerFields form={form} />
      <FormColumns>
        <TextField
          label="Open pull requests at most"
          type="number"
          min={1}
          max={20}
          required
          {...form.field('openPullRequestsMax', 'The number')}
        />
        <TextField
          label="Runs a day at most"
          type="number"
          min={1}
          max={100}
          required
          {...form.field('runsPerDayMax', 'The number')}
        />
      </FormColumns>
      <YesNoField legend="State" label="Runs by itself" {...form.field('isEnabled')} />
    </>
  )
}

function TriggerFields({ form }: Pick<AutomationFieldsProps, 'form'>) {
  return (
    <>
      <SelectField label="Runs" options={triggerOptions} {...form.field('trigger')} />
      {form.values.trigger === 'schedule' ? (
        <FormColumns>
          <TextField
            label="Times"
            description="Minute, hour, day of the month, month, day of the week."
            required
            {...form.field('cron', 'The schedule', 'trigger')}
          />
          <TextField label="Time zone" required {...form.field('timeZone')} />
        </FormColumns>
      ) : null}
      {form.values.trigger === 'merge' ? (
        <TextField
          label="Repository"
          description="The name of a context repository of the site."
          required
          {...form.field('repository', 'The repository', 'trigger.repository')}
        />
      ) : null}
    </>
  )
}
