import type { SiteResource } from '../../../../src/contract/admin.ts'
import { CheckboxField } from '../../../ui/choice-field.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { describeFieldError } from '../../api/api-error.ts'
import { type AutomationForm, triggerOptions } from './automation-form.ts'

export interface AutomationFieldsProps {
  form: AutomationForm
  /** What can be chosen; null where the site cannot be changed any more. */
  sites: readonly SiteResource[] | null
  /** What the service said of the form that was sent. */
  error: unknown
  onChange(part: Partial<AutomationForm>): void
}

const enabledChoices = [{ value: 'enabled', label: 'Runs by itself' }] as const

export function AutomationFields({ form, sites, error, onChange }: AutomationFieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        required
        maxLength={200}
        value={form.name}
        onValueChange={(name) => onChange({ name })}
        error={describeFieldError(error, 'The name', 'name')}
      />
      {sites === null ? null : (
        <SelectField
          label="Site"
          value={form.siteId}
          options={sites.map(({ id, name }) => ({ value: id, label: name }))}
          onValueChange={(siteId) => onChange({ siteId })}
          error={describeFieldError(error, 'The site', 'site')}
        />
      )}
      <TextAreaField
        label="What to do"
        description="{{branch}}, {{date}} and {{repository}} are filled in; where a repository has changed, also {{commits}}, {{files}}, {{from}} and {{to}}."
        required
        rows={5}
        value={form.prompt}
        onValueChange={(prompt) => onChange({ prompt })}
        error={describeFieldError(error, 'The text', 'prompt')}
      />
      <TriggerFields form={form} error={error} onChange={onChange} />
      <FormColumns>
        <TextField
          label="Open pull requests at most"
          type="number"
          min={1}
          max={20}
          required
          value={form.openPullRequestsMax}
          onValueChange={(openPullRequestsMax) => onChange({ openPullRequestsMax })}
          error={describeFieldError(error, 'The number', 'openPullRequestsMax')}
        />
        <TextField
          label="Runs a day at most"
          type="number"
          min={1}
          max={100}
          required
          value={form.runsPerDayMax}
          onValueChange={(runsPerDayMax) => onChange({ runsPerDayMax })}
          error={describeFieldError(error, 'The number', 'runsPerDayMax')}
        />
      </FormColumns>
      <CheckboxField
        legend="State"
        choices={enabledChoices}
        values={form.isEnabled ? ['enabled'] : []}
        onValuesChange={(values) => onChange({ isEnabled: values.includes('enabled') })}
      />
    </>
  )
}

function TriggerFields({ form, error, onChange }: Omit<AutomationFieldsProps, 'sites'>) {
  return (
    <>
      <SelectField
        label="Runs"
        value={form.trigger}
        options={triggerOptions}
        onValueChange={(value) => {
          const chosen = triggerOptions.find((option) => option.value === value)
          if (chosen !== undefined) onChange({ trigger: chosen.value })
        }}
      />
      {form.trigger === 'schedule' ? (
        <FormColumns>
          <TextField
            label="Times"
            description="Minute, hour, day of the month, month, day of the week."
            required
            value={form.cron}
            onValueChange={(cron) => onChange({ cron })}
            // What is wrong with either is said of both together.
            error={describeFieldError(error, 'The schedule', 'trigger')}
          />
          <TextField
            label="Time zone"
            required
            value={form.timeZone}
            onValueChange={(timeZone) => onChange({ timeZone })}
          />
        </FormColumns>
      ) : null}
      {form.trigger === 'merge' ? (
        <TextField
          label="Repository"
          description="The name of a context repository of the site."
          required
          value={form.repository}
          onValueChange={(repository) => onChange({ repository })}
          error={describeFieldError(error, 'The repository', 'trigger.repository')}
        />
      ) : null}
    </>
  )
}
