import { readOidcOptions } from '../access/oidc-settings.ts'
import { OidcSignIn } from '../access/oidc-sign-in.ts'
import { defaultPasswordCost, type PasswordCost, PasswordHasher } from '../access/password-hasher.ts'
import { createGate } from '../server/create-gate.ts'
import type { Foundation } from './foundation.ts'

export interface SignInMethods {
  passwords: PasswordHasher
  oidc: OidcSignIn | null
}

/** What people sign in with. @throws {Error} a sentence, for settings that do not go together. */
export function createSignInMethods(
  { settings, clock, randomBytes, deriveKey, baseUrl }: Foundation,
  cost: PasswordCost = defaultPasswordCost,
): SignInMethods {
  // A hash takes 32 MiB and a tenth of a second of a core, which answers need too.
  const gate = createGate({ what: 'sign in', runningMax: 2, waitingMax: 50, waitMsMax: 20_000 })
  const oidc = readOidcOptions(settings)
  return {
    passwords: new PasswordHasher({ randomBytes, run: (work) => gate.run('passwords', work), cost }),
    oidc: oidc && new OidcSignIn(oidc, { clock, baseUrl, sealingKey: deriveKey('oidc') }),
  }
}
