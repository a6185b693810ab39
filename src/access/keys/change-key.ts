import type { KeyUpdate } from '../../contract/admin.ts'
import { AppError, type ErrorDetail } from '../../contract/app-error.ts'
import { keyDefaults } from '../../contract/key-defaults.ts'
import type { AuditChange } from '../../store/accounts/audit-log.ts'
import { type ApiKey, type KeyOptions, updateKey } from '../../store/accounts/keys.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import { readKeyOptions } from './key-options.ts'

/** Longest value stored in the audit log, in characters. */
const valueCharsMax = 500

/**
 * Changes options of a key. A new purpose resets the protection options to its defaults, except those in the change.
 *
 * @returns The key and its differences; empty if it already had these options.
 * @throws {AppError} `invalid_request` with a detail per fault; `conflict` if the key is revoked.
 */
export async function changeKey(
  { store, clock }: StoreDeps,
  before: ApiKey,
  change: KeyUpdate,
): Promise<{ key: ApiKey; changes: AuditChange[] }> {
  const given = { ...change, purpose: change.purpose ?? before.purpose }
  const options = readKeyOptions(clock, before.kind, given, purposeFaults(before, change))
  const { purpose } = options
  const isRepurposed = purpose != null && purpose !== before.purpose
  const key: ApiKey = { ...before, ...(isRepurposed && keyDefaults[purpose]), ...options }
  if (!(await updateKey(store.durable, before, key))) {
    throw new AppError('conflict', `The key ${before.id} was revoked and cannot be changed. Create a new key.`)
  }
  return { key, changes: describeChanges(before, key) }
}

/** The secret of a key of served pages is derived from its id, unlike others. */
function purposeFaults(before: ApiKey, { purpose }: KeyUpdate): ErrorDetail[] {
  if (purpose == null || purpose === before.purpose) return []
  if (purpose !== 'pages' && before.purpose !== 'pages') return []
  const message = 'No key can be changed to or from the purpose pages. Create a new key, and revoke this one.'
  return [{ path: 'purpose', message }]
}

const optionNames = [
  'name',
  'purpose',
  'scopes',
  'ipRanges',
  'origins',
  'groups',
  'answerOptions',
  'session',
  'normalPerMinute',
  'networkPerMinute',
  'networkPerDay',
  'networkSharePercent',
  'expiresAt',
] as const satisfies (keyof KeyOptions)[]

function describeChanges(before: ApiKey, after: ApiKey): AuditChange[] {
  return optionNames
    .map((field) => ({ field, from: describeValue(before, field), to: describeValue(after, field) }))
    .filter(({ from, to }) => from !== to)
    .map(({ field, from, to }) => ({ field, from: from.slice(0, valueCharsMax), to: to.slice(0, valueCharsMax) }))
}

function describeValue(key: ApiKey, field: (typeof optionNames)[number]): string {
  if (field === 'expiresAt') return key.expiresAt === null ? 'never' : new Date(key.expiresAt).toISOString()
  const value = key[field]
  return Array.isArray(value) ? value.join(', ') : String(value ?? '')
}
