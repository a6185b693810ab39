import { openAsBlob } from 'node:fs'
import { AwsClient } from 'aws4fetch'
import { type Blob, type BlobContents, BlobMissingError } from './blobs.ts'

export interface S3BlobsOptions {
  /** `https://s3.eu-central-1.amazonaws.com`, or that of another service that speaks the same. */
  endpoint: string
  bucket: string
  region: string
  /** What the names of all objects begin with, such as `docent/`; may be empty. */
  prefix: string
  accessKeyId: string
  secretAccessKey: string
}

/** Of one request, the whole body included. */
const requestMsMax = 10 * 60_000

/** Tries of a request that the service or the network failed. */
const triesMax = 3

/**
 * Contents as objects of a bucket: `{prefix}{hash}`. The bucket is named in the path, which every service takes.
 *
 * The service is told the hash of what it is sent, and refuses anything else.
 */
export function createS3Blobs(options: S3BlobsOptions): BlobContents {
  const { endpoint, bucket, region, prefix, accessKeyId, secretAccessKey } = options
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  const base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`
  const addressOf = (hash: string) => `${base}/${prefix}${hash}`

  const send = async (method: string, hash: string, signal: AbortSignal, body?: globalThis.Blob): Promise<Response> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(requestMsMax)])
    const headers = body === undefined ? {} : { 'X-Amz-Content-Sha256': hash }
    // Signed without the body, which is sent from the disk and measured by its size.
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

/** The service does not do what it is asked; trying again does not help where it says so. */
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
