import { openAsBlob } from 'node:fs'
import { AwsClient } from 'aws4fetch'
import { type Blob, type BlobContents, BlobMissingError } from './blobs.ts'

export interface S3BlobsOptions {
  /** `https://s3.eu-central-1.amazonaws.com`, or the endpoint of an S3-compatible service. */
  endpoint: string
  bucket: string
  region: string
  /** Prefix of all object keys, such as `docent/`; may be empty. */
  prefix: string
  accessKeyId: string
  secretAccessKey: string
}

/** Per request, including the body. */
const requestMsMax = 10 * 60_000

/** Attempts per request, if the service or the network fails. */
const triesMax = 3

/**
 * Stores content as objects `{prefix}{hash}` in a bucket. Uses path-style URLs, which every service supports.
 *
 * Sends the expected hash, so that the service rejects anything else.
 */
export function createS3Blobs(options: S3BlobsOptions): BlobContents {
  const { endpoint, bucket, region, prefix, accessKeyId, secretAccessKey } = options
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  const base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`
  const addressOf = (hash: string) => `${base}/${prefix}${hash}`

  const send = async (method: string, hash: string, signal: AbortSignal, body?: globalThis.Blob): Promise<Response> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(requestMsMax)])
    const headers = body === undefined ? {} : { 'X-Amz-Content-Sha256': hash }
    // Signed without the body, which is streamed from disk.
    const { url, headers: signed } = await client.sign(addressOf(hash), { method, headers })
    return fetch(url, { method, headers: signed, signal: limit, redirect: 'error', ...(body && { body }) })
  }

  return {
    async write(_db, { hash, file }: Blob & { file: string }, signal) {
      const body = await openAsBlob(file)
      await retry(signal, async () => requireOk(await send('PUT', hash, signal, body), 'stored'))
    },
    async *read(hash, signal) {
      const response = await retry(signal, async () => {
        const answer = await send('GET', hash, signal)
        if (answer.status !== 404) return requireOk(answer, 'read')
        await answer.body?.cancel()
        throw new BlobMissingError(hash)
      })
      for await (const chunk of response.body ?? []) yield chunk
    },
    async delete(hash) {
      const signal = AbortSignal.timeout(requestMsMax)
      await retry(signal, async () => {
        const response = await send('DELETE', hash, signal)
        if (response.status !== 404) await requireOk(response, 'deleted')
        await response.body?.cancel()
      })
    },
  }
}

const reasonCharsMax = 300

/** The service rejected the request; if `isFinal`, retrying cannot help. */
class BucketRefusal extends Error {
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}

async function requireOk(response: Response, done: string): Promise<Response> {
  if (response.ok) return response
  const text = (await response.text()).slice(0, 10_000)
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1] ?? ''
  const reason = `${response.status} ${code}`.trim().slice(0, reasonCharsMax)
  const isFinal = response.status < 500 && response.status !== 408 && response.status !== 429
  throw new BucketRefusal(
    `The content cannot be ${done} in the bucket: ${reason}. Check DOCENT_S3_ENDPOINT, DOCENT_S3_BUCKET and the keys.`,
    isFinal,
  )
}

async function retry<Result>(signal: AbortSignal, request: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request()
    } catch (error) {
      const isFinal = error instanceof BlobMissingError || (error instanceof BucketRefusal && error.isFinal)
      if (isFinal || attempt >= triesMax || signal.aborted) throw error
    }
  }
}
