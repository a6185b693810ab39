import { AppError } from '../../contract/app-error.ts'
import { changeCredentials, findUserByEmail, readPasswordHash, type User } from '../../store/accounts/users.ts'
import { deleteSessionsOf } from '../../store/accounts/sessions.ts'
import type { AcceptDeps } from './accept-link.ts'
import { requireStrongPassword } from './password-strength.ts'
import { countSignInAttempt } from './sign-in-throttle.ts'

export interface PasswordAttempt {
  /** In lower case. */
  email: string
  password: string
  /** Client address, as reported by trusted hops only. */
  address: string
}

/**
 * Finds the user with an e-mail address and password. An unknown address, a user without a password and a wrong
 * password take the same time and get the same error.
 *
 * @throws {AppError} `sign_in_failed`; `limit_reached` after too many failures.
 */
export async function checkPassword(deps: AcceptDeps, attempt: PasswordAttempt): Promise<User> {
  const { store, passwords } = deps
  const counted = await countSignInAttempt(deps, { account: attempt.email, address: attempt.address })
  const { user, stored, isRight } = await compare(deps, attempt).catch(async (error: unknown) => {
    await counted.giveBack().catch(() => undefined)
    throw error
  })
  if (!isRight || user === null || stored === null) throw signInFailed()
  await counted.succeed()
  if (passwords.isOutdated(stored)) {
    await changeCredentials(store.durable, user.id, { passwordHash: await passwords.hash(attempt.password) })
  }
  return user
}

async function compare({ store, passwords }: AcceptDeps, { email, password, address }: PasswordAttempt) {
  const user = await findUserByEmail(store.durable, email)
  const stored = user === null ? null : await readPasswordHash(store.durable, user.id)
  return { user, stored, isRight: await passwords.verify(password, stored, address) }
}

/**
 * Changes the password of a user who knows the current one. Ends all sessions of the user.
 *
 * @throws {AppError} `sign_in_failed`; `limit_reached`; `invalid_request` if the new password is easy to guess.
 */
export async function changePassword(
  deps: AcceptDeps,
  user: User,
  { current, next, address }: { current: string; next: string; address: string },
): Promise<void> {
  if (user.email === null) throw signInFailed()
  await checkPassword(deps, { email: user.email, password: current, address })
  await requireStrongPassword(next, [user.name, user.email])
  const passwordHash = await deps.passwords.hash(next)
  await changeCredentials(deps.store.durable, user.id, { passwordHash })
  await deleteSessionsOf(deps.store.durable, user.id)
}

function signInFailed(): AppError {
  return new AppError(
    'sign_in_failed',
    'No member has this e-mail address and password. Check both. If you have lost your password, ask an owner for a link.',
  )
}
