import type { IdSource } from '../base/ids.ts'
import { SharedRepositories } from '../codehost/builtin/shared-repositories.ts'
import { SettingsError } from '../config/load-settings.ts'
import type { Settings } from '../config/settings.ts'
import { IndexCache } from '../sites/indexing/index-cache.ts'
import { type BlobContents, type BlobStore, StoredBlobs } from '../store/blobs/blobs.ts'
import type { Store } from '../store/store.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import type { Log } from '../telemetry/log.ts'
import type { DataFolder } from './data-folder.ts'

/** What processes share besides rows if they share a database but no folder. */
export interface SharedStorage {
  blobs: BlobStore
  sharedRepositories: SharedRepositories
  indexCache: IndexCache
}

export interface CreateSharedStorageInput extends StoreDeps {
  ids: IdSource
  log: Log
  folder: DataFolder
  settings: Settings
}

const megabyte = 1024 * 1024

/**
 * @returns An empty object for the embedded database, whose single process has everything in its folder.
 * @throws {SettingsError} if settings of the bucket are missing.
 */
export async function createSharedStorage(input: CreateSharedStorageInput): Promise<Partial<SharedStorage>> {
  const { store, clock, ids, log, folder, settings } = input
  if (store.dialect !== 'postgres') return {}
  const blobs = new StoredBlobs({ store, clock, contents: await openContents(store, settings) })
  const bytesMax = settings.indexCacheMegabytes * megabyte
  return {
    blobs,
    sharedRepositories: new SharedRepositories({
      store,
      blobs,
      clock,
      ids,
      log,
      repositoryFolder: folder.repositories,
    }),
    indexCache: new IndexCache({ store, blobs, clock, log, indexFolder: folder.indexes, bytesMax }),
  }
}

/** Blob contents, in the configured bucket or otherwise in this database. */
export async function openContents(store: Pick<Store, 'durable'>, settings: Settings): Promise<BlobContents> {
  const {
    s3Bucket: bucket,
    s3Endpoint,
    s3AccessKeyId,
    s3SecretAccessKey,
    s3Region: region,
    s3Prefix: prefix,
  } = settings
  if (bucket === undefined) {
    const { createDatabaseBlobs } = await import('../store/blobs/database-blobs.ts')
    return createDatabaseBlobs(store)
  }
  const endpoint = required('DOCENT_S3_ENDPOINT', s3Endpoint)
  const accessKeyId = required('DOCENT_S3_ACCESS_KEY_ID', s3AccessKeyId)
  const secretAccessKey = required('DOCENT_S3_SECRET_ACCESS_KEY', s3SecretAccessKey)
  const { createS3Blobs } = await import('../store/blobs/s3-blobs.ts')
  return createS3Blobs({ endpoint, bucket, region, prefix, accessKeyId, secretAccessKey })
}

function required(where: string, value: string | undefined): string {
  if (value !== undefined) return value
  throw new SettingsError([{ where, message: 'is missing: it is required with DOCENT_S3_BUCKET' }])
}
