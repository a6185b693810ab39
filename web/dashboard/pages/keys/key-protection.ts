import { keyDefaults, type KeyProtection, type KeyPurpose } from '../../../../src/contract/key-defaults.ts'

export const countNames = ['normalPerMinute', 'networkPerMinute', 'networkPerDay', 'networkSharePercent'] as const

/** The protection of a key as it is typed. */
export type ProtectionForm = Pick<KeyProtection, 'session'> & Record<(typeof countNames)[number], string>

export const sessionOptions: readonly { value: KeyProtection['session']; label: string }[] = [
  { value: 'off', label: 'Never' },
  { value: 'pressure', label: 'Above the usual rate' },
  { value: 'always', label: 'Always' },
]

export function writeProtection({ session, ...counts }: KeyProtection): ProtectionForm {
  const { normalPerMinute, networkPerMinute, networkPerDay, networkSharePercent } = counts
  return {
    session,
    normalPerMinute: String(normalPerMinute),
    networkPerMinute: String(networkPerMinute),
    networkPerDay: String(networkPerDay),
    networkSharePercent: String(networkSharePercent),
  }
}

/** What is left empty is what the purpose gives. */
export function readProtection(form: ProtectionForm & { purpose: KeyPurpose }): KeyProtection {
  const defaults = keyDefaults[form.purpose]
  const read = (name: (typeof countNames)[number]) => readCount(form[name], defaults[name])
  return {
    session: form.session,
    normalPerMinute: read('normalPerMinute'),
    networkPerMinute: read('networkPerMinute'),
    networkPerDay: read('networkPerDay'),
    networkSharePercent: read('networkSharePercent'),
  }
}

/** What is not a number goes to the service as one that it refuses, because it says what is wrong with it. */
function readCount(text: string, otherwise: number): number {
  if (text.trim() === '') return otherwise
  const count = Number(text)
  return Number.isFinite(count) ? count : -1
}

/** In two sentences at most, such as “Sessions always required. At most 120 requests a minute.” */
export function describeProtection(protection: KeyProtection): string {
  const { session, normalPerMinute, networkPerMinute, networkPerDay, networkSharePercent } = protection
  const sessions = {
    off: '',
    pressure: `Sessions above ${normalPerMinute.toLocaleString()} requests a minute.`,
    always: 'Sessions always required.',
  }[session]
  const limits = [
    networkPerMinute > 0 ? `${networkPerMinute.toLocaleString()} requests a minute` : null,
    networkPerDay > 0 ? `${networkPerDay.toLocaleString()} requests a day` : null,
    networkSharePercent > 0 ? `${networkSharePercent}% of the month’s answers a day` : null,
  ].filter((limit) => limit !== null)
  const most = limits.length === 0 ? '' : `At most ${limits.join(', ')}.`
  return `${sessions} ${most}`.trim() || 'None.'
}
