import { readOidcOptions } from '../access/sign-in/oidc-settings.ts'
import { OidcSignIn } from '../access/sign-in/oidc-sign-in.ts'
import { defaultPasswordCost, type PasswordCost, PasswordHasher } from '../access/sign-in/password-hasher.ts'
import { createGate } from '../server/create-gate.ts'
import type { Foundation } from './foundation.ts'

export interface SignInMethods {
  passwords: PasswordHasher
  oidc: OidcSignIn | null
}

/**
 * Each hash takes 32 MiB and about 100 ms of CPU, so cap concurrent ones to leave room for answers. No client takes both
 * slots, so that a flood of sign-ins does not delay the others.
 */
export const signInGate = { runningMax: 2, runningPerSubjectMax: 1, waitingMax: 50, waitMsMax: 20_000 } as const

/** @throws {Error} a sentence, if settings contradict each other. */
export function createSignInMethods(
  { settings, clock, randomBytes, deriveKey, baseUrl }: Foundation,
  cost: PasswordCost = defaultPasswordCost,
): SignInMethods {
  const gate = createGate({ what: 'sign-ins', ...signInGate })
  const oidc = readOidcOptions(settings)
  return {
    passwords: new PasswordHasher({ randomBytes, run: (client, work) => gate.run(client, work), cost }),
    oidc: oidc && new OidcSignIn(oidc, { clock, baseUrl, sealingKey: deriveKey('oidc') }),
  }
}
