import { isRecent } from '../../base/is-recent.ts'
import type * as OpenidClient from 'openid-client'
import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../contract/app-error.ts'
import { openSecret, SealedSecretError, sealSecret } from '../../store/sealed/sealed-secret.ts'
import type { OidcOptions } from './oidc-settings.ts'

/** What a provider says of a person. */
export interface OidcPerson {
  issuer: string
  subject: string
  /** In lower case; null when the provider has not confirmed it. */
  email: string | null
  name: string | null
  groups: string[]
}

export interface OidcSignInDeps {
  clock: Clock
  /** Where clients reach the server, without a slash at the end. */
  baseUrl: string
  /** Seals what the browser keeps while its user is at the provider. */
  sealingKey: Buffer
}

/** As long as somebody looks for a second factor. */
export const oidcFlowMs: number = 10 * 60_000

/** What is known of a provider is asked for again after so long, because providers change their keys and addresses. */
const discoveryMs = 60 * 60_000

/** Longest wait for one request to the provider, in seconds. */
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
 * Signs people in with a provider of OpenID Connect: the authorization code flow with PKCE, state and nonce.
 *
 * Nothing is stored between the two steps: the browser keeps what belongs to its flow, sealed, so that an answer which
 * somebody else began is not accepted and every replica can finish what another began.
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
   * @param returnTo A path of this server.
   * @returns Where to send the browser, and what it keeps until it comes back.
   * @throws {AppError} `sign_in_failed` when the provider cannot be reached.
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
   * @param search The query that the provider sent the browser back with, `?` included.
   * @param flow What the browser has kept.
   * @throws {AppError} `sign_in_failed` for an answer that is not to this flow or does not prove who it is about.
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
      // Many providers tell the address only there. What the signed token says wins.
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
      // Asked again at the next attempt.
      this.#discovered = undefined
    })
    return fresh
  }

  async #ask(): Promise<Discovered> {
    const at = this.#deps.clock.now()
    const { issuer, clientId, clientSecret, name } = this.options
    // Loaded for the first sign-in, because most processes never need it.
    const client = await import('openid-client')
    const authentication = clientSecret === null ? client.None() : client.ClientSecretPost(clientSecret)
    const options = {
      timeout: requestSeconds,
      // The settings allow http on this machine alone.
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
