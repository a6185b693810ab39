import { AppError } from '../../contract/app-error.ts'
import type { AccessCheck } from '../code-host.ts'
import { hasReason } from './forge-error.ts'
import { type ForgeClient } from './forge-client.ts'
import type { ForgeGit } from './forge-git.ts'
import type { ForgeRepository } from './forge-host.ts'

export interface AccessDeps {
  client: ForgeClient
  git: ForgeGit
  repository: ForgeRepository
}

/** @param message What it is needed for. */
export function accessGranted(permission: string, message: string): AccessCheck {
  return { permission, state: 'granted', message }
}

/** @param message What to change, and where. */
export function accessMissing(permission: string, message: string): AccessCheck {
  return { permission, state: 'missing', message }
}

/** Converts a failed attempt into a finding. Rethrows unexpected errors. */
export function accessFailed(permission: string, error: unknown): AccessCheck {
  if (!(error instanceof AppError)) throw error
  const isMissing = hasReason(error, 'unauthorized', 'forbidden', 'not-found')
  return { permission, state: isMissing ? 'missing' : 'unknown', message: error.message }
}

/** Checks one permission with a real request. @param purpose What it is needed for. */
export async function tryAccess(permission: string, purpose: string, work: Promise<unknown>): Promise<AccessCheck> {
  return work.then(
    () => accessGranted(permission, purpose),
    (error: unknown) => accessFailed(permission, error),
  )
}
