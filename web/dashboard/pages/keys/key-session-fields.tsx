import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { describeFieldError } from '../../api/api-error.ts'
import classes from './create-key-dialog.module.css'
import { type KeyForm, sessionOptions } from './key-form.ts'

export interface KeySessionFieldsProps {
  form: KeyForm
  /** What the service said of the form that was sent. */
  error: unknown
  onChange(part: Partial<KeyForm>): void
}

/** Whether whoever asks has to get a session first, which is what protects a key that anybody can read in a page. */
export function KeySessionFields({ form, error, onChange }: KeySessionFieldsProps) {
  return (
    <div className={classes.pair}>
      <SelectField
        label="Needs a session"
        description="Browsers get one by themselves, and work for it while the key is used more than usual."
        value={form.session}
        options={sessionOptions}
        onValueChange={(value) =>
          onChange({ session: sessionOptions.find((each) => each.value === value)?.value ?? 'off' })
        }
        error={describeFieldError(error, 'When sessions are needed', 'session')}
      />
      {form.session === 'off' ? null : (
        <TextField
          label="Usual questions a minute"
          isOptional
          inputMode="numeric"
          placeholder="30"
          description="More than that is pressure."
          value={form.normalPerMinute}
          onValueChange={(normalPerMinute) => onChange({ normalPerMinute })}
          error={describeFieldError(error, 'The number', 'normalPerMinute')}
        />
      )}
    </div>
  )
}
