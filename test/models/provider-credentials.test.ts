import { createHash, createHmac, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { decodeProtectedHeader, importSPKI, jwtVerify } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadSettings } from '../../src/config/load-settings.ts'
import type { ProviderName } from '../../src/contract/model-providers.ts'
import { askModel } from './ask-model.ts'
import { createManualTime } from './manual-time.ts'
import { protocolOf, readRecording } from './protocols.ts'
import { type RecordedServer, type SeenRequest, startRecordedServer } from './recorded-server.ts'

let server: RecordedServer
beforeAll(async () => {
  server = await startRecordedServer()
})
afterEach(() => vi.unstubAllEnvs())
afterAll(() => server.close())

/** Asks a model of the provider at the test's server, with nothing but these settings. */
async function ask(provider: ProviderName, env: Record<string, string>) {
  const protocol = protocolOf(provider)
  server.replyWith(protocol.framing, { type: 'stream', events: readRecording(protocol, 'text') })
  const settings = loadSettings({ env: { DOCENT_MODEL: protocol.model, DOCENT_MODEL_BASE_URL: server.url, ...env } })
  const time = createManualTime()
  time.skipWaits()
  const asked = await askModel(time.deps, settings)
  return { ...asked, request: server.requests[0] }
}

const spoken = 'Set **PORT** to 8080, then start it again.'

describe('Azure OpenAI', () => {
  it('gets its key in its own header, and answers are not stored there', async () => {
    const { text: said, request } = await ask('azure', { AZURE_API_KEY: 'azure-key' })

    expect(said).toBe(spoken)
    expect(request?.path).toBe('/responses')
    expect(request?.headers).toMatchObject({ 'api-key': 'azure-key' })
    expect(request?.headers.authorization).toBeUndefined()
    expect(request?.body).toMatchObject({ store: false })
  })

  it('is called at the address of a deployment with a dated version', async () => {
    const { text: said, request } = await ask('azure-chat', {
      AZURE_API_KEY: 'azure-key',
      AZURE_API_VERSION: '2024-10-21',
    })

    expect(said).toBe(spoken)
    expect(request?.path).toBe('/deployments/your-deployment/chat/completions?api-version=2024-10-21')
  })
})

describe('Amazon Bedrock', () => {
  const keys = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIDOFTEST',
    AWS_SECRET_ACCESS_KEY: 'secret-of-test',
    AWS_SESSION_TOKEN: 'session-of-test',
  }

  it('gets calls that the access key has signed, without its secret', async () => {
    const { text: said, request } = await ask('amazon-bedrock', keys)

    expect(said).toBe(spoken)
    expect(request?.headers['x-amz-security-token']).toBe('session-of-test')
    expect(request?.headers.authorization).toBe(sign(request, keys.AWS_SECRET_ACCESS_KEY))
    expect(JSON.stringify(request)).not.toContain('secret-of-test')
  })

  it('gets its own key rather than a signature if it has one', async () => {
    const { request } = await ask('amazon-bedrock', { ...keys, AWS_BEARER_TOKEN_BEDROCK: 'bedrock-key' })

    expect(request?.headers.authorization).toBe('Bearer bedrock-key')
  })

  it.each([
    [{}, 'AWS_BEARER_TOKEN_BEDROCK', 'or set AWS_REGION and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
    [{ AWS_BEARER_TOKEN_BEDROCK: 'k' }, 'AWS_REGION', 'is missing'],
  ])('names what is missing of %o', async (env, where, said) => {
    const settings = loadSettings({ env: { DOCENT_MODEL: 'amazon-bedrock/some-model', ...env } })

    await expect(askModel(createManualTime().deps, settings)).rejects.toMatchObject({
      faults: [{ where, message: expect.stringContaining(said) }],
    })
  })
})

/** Signature Version 4 as its documentation describes it, computed from what came. */
function sign(request: SeenRequest | undefined, secret: string): string {
  const { path = '', headers = {}, text: body = '' } = request ?? {}
  const [, signed = ''] = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? []
  const time = String(headers['x-amz-date'])
  const scope = `${time.slice(0, 8)}/eu-central-1/bedrock/aws4_request`
  // The path is encoded once more than it was sent.
  const canonicalPath = path.split('/').map(encodeURIComponent).join('/')
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = ['POST', canonicalPath, '', lines.join(''), signed, sha256(body)].join('\n')
  const key = scope.split('/').reduce((last: string | Buffer, part) => hmac(last, part), `AWS4${secret}`)
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex')
  return `AWS4-HMAC-SHA256 Credential=AKIDOFTEST/${scope}, SignedHeaders=${signed}, Signature=${signature}`
}

const sha256 = (value: string) => createHash('sha256').update(value).digest('hex')
const hmac = (key: string | Buffer, value: string) => createHmac('sha256', key).update(value).digest()

describe('Google Vertex AI', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

  /** A token server, and the JSON key of a service account that names it. */
  async function setup(status = 200) {
    const grants: URLSearchParams[] = []
    const grant = async (request: IncomingMessage, response: ServerResponse) => {
      grants.push(new URLSearchParams(await text(request)))
      response.writeHead(status, { 'content-type': 'application/json' })
      const granted = { access_token: 'token-of-test', expires_in: 3_600, token_type: 'Bearer' }
      response.end(JSON.stringify(status === 200 ? granted : { error: 'invalid_grant', error_description: 'No.' }))
    }
    const tokens = createServer((request, response) => void grant(request, response)).listen(0, '127.0.0.1')
    await once(tokens, 'listening')
    const { port } = tokens.address() as AddressInfo // It listens on a port.
    const folder = mkdtempSync(join(tmpdir(), 'docent-vertex-'))
    const file = join(folder, 'service-account.json')
    const account = {
      type: 'service_account',
      project_id: 'docs-project',
      private_key_id: 'key-1',
      private_key: privateKey,
      client_email: 'docent@docs-project.iam.gserviceaccount.com',
      token_uri: `http://127.0.0.1:${port}/token`,
    }
    writeFileSync(file, JSON.stringify(account))
    const env = { GOOGLE_VERTEX_PROJECT: 'docs-project', GOOGLE_APPLICATION_CREDENTIALS: file }
    const dispose = async () => {
      rmSync(folder, { recursive: true })
      await once(tokens.close(), 'close')
    }
    return { env, grants, [Symbol.asyncDispose]: dispose }
  }

  it('gets the token that the key of a service account has bought', async () => {
    await using vertex = await setup()

    const { text: said, request } = await ask('google-vertex', vertex.env)

    expect(said).toBe(spoken)
    expect(request?.headers.authorization).toBe('Bearer token-of-test')
    expect(request?.headers['x-goog-api-key']).toBeUndefined()
    const assertion = vertex.grants[0]?.get('assertion') ?? ''
    const { payload } = await jwtVerify(assertion, await importSPKI(publicKey, 'RS256'))
    expect(payload).toMatchObject({
      iss: 'docent@docs-project.iam.gserviceaccount.com',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
    })
    expect(decodeProtectedHeader(assertion).alg).toBe('RS256')
  })

  it('that grants no token says that the key was refused', async () => {
    await using vertex = await setup(400)

    const { sentence, failure } = await ask('google-vertex', vertex.env)

    expect(sentence).toBe('The model refused the key of this service. Tell its operator.')
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure?.cause))).not.toContain('PRIVATE KEY')
    expect(server.requests).toEqual([])
  })

  it('gets a key in its own header', async () => {
    const { request } = await ask('google-vertex', { GOOGLE_VERTEX_API_KEY: 'vertex-key' })

    expect(request?.headers['x-goog-api-key']).toBe('vertex-key')
  })
})

describe('Mistral and Cohere', () => {
  it.each([
    ['mistral', 'MISTRAL_API_KEY'],
    ['cohere', 'COHERE_API_KEY'],
  ] as const)('%s gets the key in %s', async (provider, variable) => {
    const { text: said, request } = await ask(provider, { [variable]: 'key-of-test' })

    expect(said).toBe(spoken)
    expect(request?.headers.authorization).toBe('Bearer key-of-test')
  })
})
