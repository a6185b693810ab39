import { type Role, roles } from '../../contract/accounts.ts'
import { AppError } from '../../contract/app-error.ts'
import type { AppContext } from '../app-env.ts'

/**
 * Requires this role or a higher one. Handlers call it if the role depends on the content of a request; the role that
 * an operation always needs is in its definition.
 *
 * @throws {AppError} `role_forbidden`.
 */
export function requireRole(c: AppContext, needed: Role): void {
  if (hasRole(c.get('actor').role, needed)) return
  throw roleForbidden(c.get('actor').role, needed)
}

/** Whether a role is at least the needed one. */
export function hasRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

export function roleForbidden(role: Role, needed: Role): AppError {
  return new AppError(
    'role_forbidden',
    `This needs the role ${needed}, and yours is ${role}. Ask an owner to do it, or to change your role.`,
  )
}
