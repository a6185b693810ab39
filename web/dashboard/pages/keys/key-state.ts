import { dayMs } from '../../../ui/durations.ts'
import type { KeyResource } from '../../../../src/contract/admin.ts'
import type { Tone } from '../../../ui/badge.tsx'
import { say } from '../../../words/say.ts'

/** Whether a key is valid at the given time, in epoch milliseconds. */
export function describeKeyState(
  { revokedAt, expiresAt }: Pick<KeyResource, 'revokedAt' | 'expiresAt'>,
  now: number,
): { tone: Tone; label: string; isUsable: boolean } {
  if (revokedAt !== null) return { tone: 'danger', label: say('Revoked'), isUsable: false }
  if (expiresAt !== null && Date.parse(expiresAt) <= now)
    return { tone: 'warning', label: say('Expired'), isUsable: false }
  return { tone: 'success', label: say('Active'), isUsable: true }
}

/** A key used within this time counts as in use. */
const inUseMs = 30 * dayMs

/** Whether nobody is cut off when it is revoked, so that this needs no question. Those of served pages cannot be restored. */
export function isUnused({ purpose, lastUsedAt }: Pick<KeyResource, 'purpose' | 'lastUsedAt'>, now: number): boolean {
  return purpose !== 'pages' && (lastUsedAt === null || now - Date.parse(lastUsedAt) >= inUseMs)
}

/** `svc_dsc_…a1b2`: identifies a key without revealing it. */
export function maskKey({ kind, hint }: Pick<KeyResource, 'kind' | 'hint'>): string {
  return `${kind === 'admin' ? 'svc_' : 'svc_dsc_'}…${hint}`
}
