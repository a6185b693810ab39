import { MoreFields } from '../../../ui/more-fields.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { FormState } from '../../forms/use-form.ts'
import type { KeyForm } from './key-form.ts'
import classes from './key-fields.module.css'
import { countNames, describeProtection, readProtection, sessionOptions } from './key-protection.ts'
import { say } from '../../../words/say.ts'

const counts: Readonly<Record<(typeof countNames)[number], { label: string; description: string }>> = {
  normalPerMinute: {
    label: say('Normal requests per minute'),
    description: say('Above this, a session requires proof of work.'),
  },
  networkPerMinute: { label: say('Maximum requests per minute'), description: say('0 for no limit.') },
  networkPerDay: { label: say('Maximum requests per day'), description: say('0 for no limit.') },
  networkSharePercent: {
    label: say('Maximum answers per day, in %'),
    description: say('Of the key’s monthly answers. 0 for no limit.'),
  },
}

/** Limits per network and the session requirement. Collapsed, because the key's purpose sets defaults. */
export function KeyProtectionFields({ form }: { form: FormState<KeyForm> }) {
  const session = form.field('session', say('The session requirement'))
  const numbers = countNames.map((name) => ({ name, ...counts[name], ...form.field(name, say('The number')) }))
  return (
    <MoreFields title={say('Limits per network')} summary={describeProtection(readProtection(form.values))}>
      <p className={classes.note}>{say('A network is an IPv4 address, or the /64 of an IPv6 address.')}</p>
      <SelectField
        label={say('Requires a session')}
        description={say('Docent’s own pages get one automatically. MCP clients never need one.')}
        options={sessionOptions}
        {...session}
      />
      <FormColumns>
        {numbers.map(({ name, ...number }) =>
          name === 'normalPerMinute' && session.value === 'off' ? null : (
            <TextField key={name} inputMode="numeric" {...number} />
          ),
        )}
      </FormColumns>
    </MoreFields>
  )
}
