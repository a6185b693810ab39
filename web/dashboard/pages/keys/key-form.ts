import type { KeyCreate } from '../../../../src/contract/admin.ts'

/** What the form of a new key holds, as it is typed. */
export interface KeyForm {
  kind: 'assistant' | 'admin'
  name: string
  siteId: string
  /** Days, or `never`. */
  expiry: string
  scopes: ('read' | 'write')[]
  ipRanges: string
  origins: string
  groups: string
  session: NonNullable<KeyCreate['session']>
  /** Questions in a minute; empty for what is usual without it. */
  normalPerMinute: string
}

export function emptyKeyForm(siteId: string): KeyForm {
  return {
    kind: 'assistant',
    name: '',
    siteId,
    expiry: 'never',
    scopes: ['read', 'write'],
    ipRanges: '',
    origins: '',
    groups: '',
    session: 'off',
    normalPerMinute: '',
  }
}

const lifetimes = [7, 30, 60, 90] as const

export const expiryOptions: readonly { value: string; label: string }[] = [
  { value: 'never', label: 'Never' },
  ...lifetimes.map((days) => ({ value: String(days), label: `In ${days} days` })),
]

export const sessionOptions: readonly { value: KeyForm['session']; label: string }[] = [
  { value: 'off', label: 'Never' },
  { value: 'pressure', label: 'While it is used more than usual' },
  { value: 'always', label: 'Always' },
]

/** The key as the service takes it: fields of the other kind of key are left out. */
export function readKeyForm(form: KeyForm): KeyCreate {
  const common = {
    kind: form.kind,
    name: form.name,
    expiresInDays: lifetimes.find((days) => String(days) === form.expiry) ?? null,
    ipRanges: splitLines(form.ipRanges),
  }
  if (form.kind === 'admin') return { ...common, scopes: form.scopes }
  return {
    ...common,
    siteId: form.siteId,
    origins: splitLines(form.origins),
    groups: splitLines(form.groups),
    session: form.session,
    ...(form.session !== 'off' && { normalPerMinute: readCount(form.normalPerMinute) }),
  }
}

/** What is not a number goes to the service as none that it takes, because it says what is wrong with it. */
function readCount(text: string): number | null {
  if (text.trim() === '') return null
  const count = Number(text)
  return Number.isFinite(count) ? count : 0
}

function splitLines(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
