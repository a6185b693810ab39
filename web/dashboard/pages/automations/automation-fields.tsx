import type { SiteResource } from '../../../../src/contract/admin.ts'
import { YesNoField } from '../../../ui/choice-field.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import type { FormState } from '../../forms/use-form.ts'
import { type AutomationForm, triggerOptions } from './automation-form.ts'
import { say } from '../../../words/say.ts'

export interface AutomationFieldsProps {
  form: FormState<AutomationForm>
  /** Sites to choose from; null if the site can no longer change. */
  sites: readonly SiteResource[] | null
}

export function AutomationFields({ form, sites }: AutomationFieldsProps) {
  return (
    <>
      <TextField label={say('Name')} required maxLength={200} {...form.field('name', say('The name'))} />
      {sites === null || sites.length === 1 ? null : (
        <SelectField
          label={say('Site')}
          options={sites.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.field('siteId', say('The site'), 'site')}
        />
      )}
      <TextAreaField
        label={say('Instructions')}
        description={say('Placeholders: {always}; after a change in a repository also {changed}.', {
          always: '{{branch}}, {{date}}, {{repository}}',
          changed: '{{commits}}, {{files}}, {{from}}, {{to}}',
        })}
        required
        rows={5}
        {...form.field('prompt', say('The text'))}
      />
      <TriggerFields form={form} />
      <MoreFields>
        <FormColumns>
          <TextField
            label={say('Maximum open pull requests')}
            type="number"
            min={1}
            max={20}
            required
            {...form.field('openPullRequestsMax', say('The number'))}
          />
          <TextField
            label={say('Maximum runs per day')}
            type="number"
            min={1}
            max={100}
            required
            {...form.field('runsPerDayMax', say('The number'))}
          />
        </FormColumns>
        <YesNoField legend={say('State')} label={say('Enabled')} {...form.field('isEnabled')} />
      </MoreFields>
    </>
  )
}

function TriggerFields({ form }: Pick<AutomationFieldsProps, 'form'>) {
  return (
    <>
      <SelectField label={say('Trigger')} options={triggerOptions} {...form.field('trigger')} />
      {form.values.trigger === 'schedule' ? (
        <FormColumns>
          <TextField
            label={say('Schedule')}
            description={say('Cron: minute, hour, day of month, month, day of week.')}
            required
            {...form.field('cron', say('The schedule'), 'trigger')}
          />
          <TextField label={say('Time zone')} required {...form.field('timeZone')} />
        </FormColumns>
      ) : null}
      {form.values.trigger === 'merge' ? (
        <TextField
          label={say('Repository')}
          description={say('Name of a context repository of the site.')}
          required
          {...form.field('repository', say('The repository'), 'trigger.repository')}
        />
      ) : null}
    </>
  )
}
