import { useState } from 'react'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { describeFieldError } from '../../api/api-error.ts'
import type { KeyForm } from './key-form.ts'
import classes from './key-fields.module.css'
import { countNames, describeProtection, readProtection, sessionOptions } from './key-protection.ts'

export interface KeyProtectionFieldsProps {
  form: KeyForm
  /** What the service said of the form that was sent. */
  error: unknown
  onChange(part: Partial<KeyForm>): void
}

const counts: Readonly<Record<(typeof countNames)[number], { label: string; description: string }>> = {
  normalPerMinute: { label: 'Usual requests a minute', description: 'Above this, a session needs proof of work.' },
  networkPerMinute: { label: 'Most requests a minute', description: '0 sets no limit.' },
  networkPerDay: { label: 'Most requests a day', description: '0 sets no limit.' },
  networkSharePercent: { label: 'Most answers a day, in %', description: 'Of the key’s month. 0 sets no limit.' },
}

/** What one network may use of the key, and when it needs a session. Folded up, because the purpose of the key sets it. */
export function KeyProtectionFields({ form, error, onChange }: KeyProtectionFieldsProps) {
  const errors = countNames.map((name) => describeFieldError(error, 'The number', name))
  const [isOpened, setOpened] = useState(false)
  const sessionError = describeFieldError(error, 'When sessions are needed', 'session')
  // Open where something is to be corrected.
  const isOpen = isOpened || [...errors, sessionError].some((each) => each !== null)
  return (
    <details
      className={classes.protection}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
    >
      <summary>
        Limits for one network
        <span className={classes.summary}>{describeProtection(readProtection(form))}</span>
      </summary>
      <div className={classes.fields}>
        <p className={classes.note}>A network is an IPv4 address, or the /64 of an IPv6 address.</p>
        <SelectField
          label="Needs a session"
          description="Docent’s own pages get one by themselves. MCP clients never need one."
          value={form.session}
          options={sessionOptions}
          onValueChange={(value) =>
            onChange({ session: sessionOptions.find((each) => each.value === value)?.value ?? 'off' })
          }
          error={sessionError}
        />
        <div className={classes.pair}>
          {countNames.map((name, index) =>
            name === 'normalPerMinute' && form.session === 'off' ? null : (
              <TextField
                key={name}
                {...counts[name]}
                inputMode="numeric"
                value={form[name]}
                onValueChange={(value) => onChange({ [name]: value })}
                error={errors[index] ?? null}
              />
            ),
          )}
        </div>
      </div>
    </details>
  )
}
