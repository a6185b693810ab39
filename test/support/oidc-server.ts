import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'

export interface OidcAccount {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

export const oidcClient = { id: 'docent', secret: 'a-secret-of-the-client' }

/** A real provider of OpenID Connect, that signs in the user `account` without asking. */
export class OidcServer {
  account: OidcAccount = { sub: 'nobody' }
  readonly issuer: string
  readonly #server: ReturnType<typeof createServer>
  #provider: Provider | null = null

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // It listens on a port.
    server.on('request', (request, response) => void this.#handle(request, response))
  }

  /** Listens, so that its address is known. It answers from `register` on. */
  static async listen(): Promise<OidcServer> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new OidcServer(server)
  }

  /** Lets a client in, which sends its users back to one address. */
  async register(redirectUri: string): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const findAccount = (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ ...this.account, sub }) })
    this.#provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: oidcClient.id,
          client_secret: oidcClient.secret,
          redirect_uris: [redirectUri],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      cookies: { keys: ['a key of this test'] },
      features: { devInteractions: { enabled: false } },
      findAccount,
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
      jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({ clientId: oidcClient.id, accountId: oidc.session?.accountId })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    })
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#provider === null) {
      response.writeHead(503).end()
      return
    }
    if (request.url?.startsWith('/interaction/')) {
      const result = { login: { accountId: this.account.sub } }
      await this.#provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
      return
    }
    await this.#provider.callback()(request, response)
  }
}
