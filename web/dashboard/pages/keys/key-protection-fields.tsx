import { useState } from 'react'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { FormState } from '../../forms/use-form.ts'
import type { KeyForm } from './key-form.ts'
import classes from './key-fields.module.css'
import { countNames, describeProtection, readProtection, sessionOptions } from './key-protection.ts'

const counts: Readonly<Record<(typeof countNames)[number], { label: string; description: string }>> = {
  normalPerMinute: { label: 'Usual requests a minute', description: 'Above this, a session needs proof of work.' },
  networkPerMinute: { label: 'Most requests a minute', description: '0 sets no limit.' },
  networkPerDay: { label: 'Most requests a day', description: '0 sets no limit.' },
  networkSharePercent: { label: 'Most answers a day, in %', description: 'Of the key’s month. 0 sets no limit.' },
}

/** What one network may use of the key, and when it needs a session. Folded up, because the purpose of the key sets it. */
export function KeyProtectionFields({ form }: { form: FormState<KeyForm> }) {
  const [isOpened, setOpened] = useState(false)
  const session = form.field('session', 'When sessions are needed')
  const numbers = countNames.map((name) => ({ name, ...counts[name], ...form.field(name, 'The number') }))
  // Open where something is to be corrected.
  const isOpen = isOpened || [session, ...numbers].some(({ error }) => error !== null)
  return (
    <details
      className={classes.protection}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
    >
      <summary>
        Limits for one network
        <span className={classes.summary}>{describeProtection(readProtection(form.values))}</span>
      </summary>
      <div className={classes.fields}>
        <p className={classes.note}>A network is an IPv4 address, or the /64 of an IPv6 address.</p>
        <SelectField
          label="Needs a session"
          description="Docent’s own pages get one by themselves. MCP clients never need one."
          options={sessionOptions}
          {...session}
        />
        <div className={classes.pair}>
          {numbers.map(({ name, ...number }) =>
            name === 'normalPerMinute' && session.value === 'off' ? null : (
              <TextField key={name} inputMode="numeric" {...number} />
            ),
          )}
        </div>
      </div>
    </details>
  )
}
