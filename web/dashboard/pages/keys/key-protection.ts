import { keyDefaults, type KeyProtection, type KeyPurpose } from '../../../../src/contract/key-defaults.ts'
import { say, sayCount } from '../../../words/say.ts'

export const countNames = ['normalPerMinute', 'networkPerMinute', 'networkPerDay', 'networkSharePercent'] as const

/** Form values of a key's protection. */
export type ProtectionForm = Pick<KeyProtection, 'session'> & Record<(typeof countNames)[number], string>

export const sessionOptions: readonly { value: KeyProtection['session']; label: string }[] = [
  { value: 'off', label: say('Never') },
  { value: 'pressure', label: say('Above the normal rate') },
  { value: 'always', label: say('Always') },
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

/** Empty fields take the defaults of the purpose. */
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

/** Anything that is not a number becomes -1, which the service refuses with an explanation. */
function readCount(text: string, otherwise: number): number {
  if (text.trim() === '') return otherwise
  const count = Number(text)
  return Number.isFinite(count) ? count : -1
}

/** One or two sentences, such as “Sessions always required. At most 120 requests per minute.” */
export function describeProtection(protection: KeyProtection): string {
  const { session, normalPerMinute, networkPerMinute, networkPerDay, networkSharePercent } = protection
  const sessions = {
    off: '',
    pressure: sayCount(
      normalPerMinute,
      'Sessions required above {count} request per minute.',
      'Sessions required above {count} requests per minute.',
    ),
    always: say('Sessions always required.'),
  }[session]
  const limits = [
    networkPerMinute > 0
      ? sayCount(networkPerMinute, '{count} request per minute', '{count} requests per minute')
      : null,
    networkPerDay > 0 ? sayCount(networkPerDay, '{count} request per day', '{count} requests per day') : null,
    networkSharePercent > 0
      ? say('{networkSharePercent}% of the monthly answers per day', { networkSharePercent })
      : null,
  ].filter((limit) => limit !== null)
  const most = limits.length === 0 ? '' : say('At most {limits}.', { limits: limits.join(', ') })
  return `${sessions} ${most}`.trim() || say('No limits.')
}
