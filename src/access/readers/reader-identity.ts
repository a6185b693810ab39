import { errors, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../contract/app-error.ts'

/** Longest lifetime of a signed identity, so that a leaked one soon becomes worthless. */
export const lifetimeSecondsMax = 24 * 3_600

/** Tolerated clock skew between the site's server and ours. */
const clockSkewSeconds = 30

const claimsSchema = z.object({
  sub: z.string().min(1).max(256),
  groups: z.array(z.string().max(200)).max(100).default([]),
  exp: z.number(),
})

export interface ReaderIdentity {
  subject: string
  groups: string[]
}

/**
 * Reads the reader's identity from `X-Docent-Identity`: a JWT with subject, groups and expiry (at most 24 h ahead),
 * signed by the site's own server with the site's identity secret (HS256).
 *
 * @throws {AppError} `reader_identity_invalid`. A bad identity is refused rather than ignored; otherwise a signed-in
 *   reader would silently get the public site.
 */
export async function readReaderIdentity(token: string, secret: string, clock: Clock): Promise<ReaderIdentity> {
  const now = new Date(clock.now())
  const claims = claimsSchema.safeParse(await verify(token, secret, now))
  if (!claims.success) throw invalid('it needs the claims sub, groups (a list of names) and exp')
  const { sub, groups, exp } = claims.data
  if (exp - now.getTime() / 1_000 > lifetimeSecondsMax + clockSkewSeconds) {
    throw invalid('it expires more than 24 hours ahead')
  }
  return { subject: sub, groups }
}

async function verify(token: string, secret: string, now: Date): Promise<unknown> {
  try {
    const options = { algorithms: ['HS256'], currentDate: now, clockTolerance: clockSkewSeconds }
    return (await jwtVerify(token, new TextEncoder().encode(secret), options)).payload
  } catch (error) {
    throw invalid(
      error instanceof errors.JWTExpired
        ? 'it has expired'
        : 'its signature does not match the identity secret of the site',
    )
  }
}

function invalid(reason: string): AppError {
  return new AppError(
    'reader_identity_invalid',
    `The header X-Docent-Identity is refused: ${reason}. Sign a new identity.`,
  )
}
