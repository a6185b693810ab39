import { AppError } from '../../contract/app-error.ts'
import type { AccessCheck } from '../code-host.ts'
import { hasReason } from './forge-client.ts'

/** @param message What it is needed for. */
export function grantAccess(permission: string, message: string): AccessCheck {
  return { permission, state: 'granted', message }
}

/** What a failed try says of a permission. Throws what is no refusal. */
export function failAccess(permission: string, error: unknown): AccessCheck {
  if (!(error instanceof AppError)) throw error
  const isMissing = hasReason(error, 'unauthorized', 'forbidden', 'not-found')
  return { permission, state: isMissing ? 'missing' : 'unknown', message: error.message }
}
