import { hourMs } from '../../base/durations.ts'
import { isRecent } from '../../base/is-recent.ts'
import type * as OpenidClient from 'openid-client'
import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../contract/app-error.ts'
import { openSecret, SealedSecretError, sealSecret } from '../../store/sealed/sealed-secret.ts'
import type { OidcOptions } from './oidc-settings.ts'

/** What the provider asserts about a person. */
export interface OidcPerson {
  issuer: string
  subject: string
  /** In lower case; null if the provider has not verified it. */
  email: string | null
  name: string | null
  groups: string[]
}

export interface OidcSignInDeps {
  clock: Clock
  /** Where clients reach the server, without a trailing slash. */
  baseUrl: string
  /** Seals the state that the browser carries while its user is at the provider. */
  sealingKey: Buffer
}

/** Leaves time to find a second factor. */
export const oidcFlowMs: number = 10 * 60_000

/** How long the provider's metadata is cached, because providers change their keys and endpoints. */
const discoveryMs = hourMs

/** Timeout of one request to the provider, in seconds. */
const requestSeconds = 10

const flowContext = 'oidc-flow'

const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  expiresAt: z.number(),
})

const claimsSchema = z.object({
  email: z.email().max(254).optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
  name: z.string().max(1_000).optional().catch(undefined),
})

interface Discovered {
  client: typeof OpenidClient
  configuration: OpenidClient.Configuration
  at: number
}

/**
 * Signs people in with an OpenID Connect provider: authorization code flow with PKCE, state and nonce.
 *
 * Nothing is stored between the two steps: the browser carries the sealed state of its flow. So a response to somebody
 * else's flow is rejected, and any replica can finish what another began.
 */
export class OidcSignIn {
  readonly options: OidcOptions
  readonly #deps: OidcSignInDeps
  #discovered: Promise<Discovered> | undefined

  constructor(options: OidcOptions, deps: OidcSignInDeps) {
    this.options = options
    this.#deps = deps
  }

  get name(): string {
    return this.options.name
  }

  /**
   * @param returnTo A path on this server.
   * @returns Where to send the browser, and the state it carries until it comes back.
   * @throws {AppError} `sign_in_failed` if the provider is unreachable.
   */
  async start(returnTo: string): Promise<{ url: string; flow: string }> {
    const { client, configuration } = await this.#discover()
    const verifier = client.randomPKCECodeVerifier()
    const [state, nonce] = [client.randomState(), client.randomNonce()]
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#callbackUrl,
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    const expiresAt = this.#deps.clock.now() + oidcFlowMs
    const flow = JSON.stringify({ state, nonce, verifier, returnTo, expiresAt })
    return { url: url.href, flow: sealSecret(this.#deps.sealingKey, flowContext, flow) }
  }

  /**
   * @param search Query string that the provider redirected with, `?` included.
   * @param flow State that the browser carried.
   * @throws {AppError} `sign_in_failed` if the response does not belong to this flow or does not prove an identity.
   */
  async finish(search: string, flow: string | undefined): Promise<{ person: OidcPerson; returnTo: string }> {
    const { state, nonce, verifier, returnTo } = this.#openFlow(flow)
    const { client, configuration } = await this.#discover()
    try {
      const tokens = await client.authorizationCodeGrant(configuration, new URL(this.#callbackUrl + search), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('The provider sent no ID token.')
      // Many providers return the address only from the userinfo endpoint. Claims of the signed token win.
      const more =
        claims['email'] === undefined ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
      return { person: this.#readPerson(claims.iss, claims.sub, { ...more, ...claims }), returnTo }
    } catch (cause) {
      throw signInFailed(`${this.name} has not confirmed who you are. Start again.`, cause)
    }
  }

  get #callbackUrl(): string {
    return `${this.#deps.baseUrl}/auth/oidc/callback`
  }

  #openFlow(flow: string | undefined): z.output<typeof flowSchema> {
    try {
      const opened = flowSchema.parse(JSON.parse(openSecret(this.#deps.sealingKey, flowContext, flow ?? '')))
      if (opened.expiresAt > this.#deps.clock.now()) return opened
    } catch (error) {
      if (!(error instanceof SealedSecretError)) throw error
    }
    throw signInFailed('This sign-in was not begun in this browser, or more than ten minutes ago. Start again.')
  }

  #readPerson(issuer: string, subject: string, claims: Readonly<Record<string, unknown>>): OidcPerson {
    const { email, email_verified: isVerified, name } = claimsSchema.parse(claims)
    return {
      issuer,
      subject,
      email: isVerified === true && email !== undefined ? email.toLowerCase() : null,
      name: name?.trim().slice(0, 100) || null,
      groups: readGroups(claims[this.options.roleClaim]),
    }
  }

  #discover(): Promise<Discovered> {
    const fresh = (this.#discovered ?? this.#ask()).then((found) =>
      isRecent(found.at, discoveryMs, this.#deps.clock.now()) ? found : this.#ask(),
    )
    this.#discovered = fresh
    fresh.catch(() => {
      // Rediscover at the next attempt.
      this.#discovered = undefined
    })
    return fresh
  }

  async #ask(): Promise<Discovered> {
    const at = this.#deps.clock.now()
    const { issuer, clientId, clientSecret, name } = this.options
    // Loaded on first use, because most processes never need it.
    const client = await import('openid-client')
    const authentication = clientSecret === null ? client.None() : client.ClientSecretPost(clientSecret)
    const options = {
      timeout: requestSeconds,
      // The settings allow http on loopback only.
      execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
    }
    try {
      const configuration = await client.discovery(issuer, clientId, clientSecret ?? undefined, authentication, options)
      return { client, configuration, at }
    } catch (cause) {
      throw signInFailed(`${name} cannot be reached. Try again in a minute, or sign in another way.`, cause)
    }
  }
}

function readGroups(claim: unknown): string[] {
  const listed: unknown[] = Array.isArray(claim) ? claim : [claim]
  return listed.filter((group): group is string => typeof group === 'string')
}

function signInFailed(message: string, cause?: unknown): AppError {
  return new AppError('sign_in_failed', message, { cause })
}
