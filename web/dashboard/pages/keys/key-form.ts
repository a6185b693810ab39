import type { AnswerOption } from '../../../../src/contract/answer-options.ts'
import type { KeyCreate, KeyResource, KeyUpdate } from '../../../../src/contract/admin.ts'
import { keyDefaults, type KeyPurpose } from '../../../../src/contract/key-defaults.ts'
import { type ProtectionForm, readProtection, writeProtection } from './key-protection.ts'
import { say } from '../../../words/say.ts'

/** Values of the form. */
export interface KeyForm extends ProtectionForm {
  kind: 'assistant' | 'admin'
  name: string
  siteId: string
  purpose: KeyPurpose
  /** Days, `never`, or `keep` for the current expiry. */
  expiry: string
  scopes: ('read' | 'write')[]
  ipRanges: string
  origins: string
  groups: string
  answerOptions: AnswerOption[]
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
    answerOptions: [],
    ...choosePurpose('website'),
  }
}

/** Form values of an existing key. */
export function keyFormOf(key: KeyResource): KeyForm {
  return {
    kind: key.kind,
    name: key.name,
    siteId: key.siteId ?? '',
    purpose: key.purpose ?? 'server',
    expiry: 'keep',
    scopes: key.scopes,
    ipRanges: key.ipRanges.join('\n'),
    origins: key.origins.join('\n'),
    groups: key.groups.join(', '),
    answerOptions: key.answerOptions,
    ...writeProtection(key),
  }
}

/** Sets the purpose and its default protection. */
export function choosePurpose(purpose: KeyPurpose): ProtectionForm & { purpose: KeyPurpose } {
  return { purpose, ...writeProtection(keyDefaults[purpose]) }
}

const lifetimes = [7, 30, 60, 90] as const

export const expiryOptions: readonly { value: string; label: string }[] = [
  { value: 'never', label: say('Never') },
  ...lifetimes.map((days) => ({ value: String(days), label: say('In {days} days', { days }) })),
]

/** The key to create, without fields of the other kind. */
export function readKeyForm(form: KeyForm): KeyCreate {
  const { kind, siteId } = form
  const options = { kind, ...readOptions(form), name: form.name }
  return kind === 'assistant' ? { ...options, siteId } : options
}

/** Only the changed fields, so that concurrent changes by others survive. */
export function readKeyChange(form: KeyForm, key: KeyResource): KeyUpdate {
  const before = readOptions(keyFormOf(key))
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof KeyUpdate])
  return Object.fromEntries(Object.entries(readOptions(form)).filter(isChanged))
}

function readOptions(form: KeyForm): KeyUpdate {
  const common = {
    name: form.name,
    ...(form.expiry !== 'keep' && {
      expiresInDays: lifetimes.find((days) => String(days) === form.expiry) ?? null,
    }),
    ipRanges: splitLines(form.ipRanges),
  }
  if (form.kind === 'admin') return { ...common, scopes: form.scopes }
  return {
    ...common,
    purpose: form.purpose,
    origins: splitLines(form.origins),
    groups: splitLines(form.groups),
    answerOptions: form.answerOptions,
    ...readProtection(form),
  }
}

function splitLines(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
