import { z } from 'zod'
import { httpUrl, setting, whole } from './setting-shapes.ts'

export const storageSettings = {
  indexCacheMegabytes: setting(whole(10, 10_000_000).default(10_240), {
    env: 'DOCENT_INDEX_CACHE_MB',
    description:
      'With `DATABASE_URL`: megabytes of index files that each process caches on disk. The least recently used are evicted first; files used within the last 15 minutes always stay.',
  }),
  s3Bucket: setting(
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'is not the name of a bucket' })
      .optional(),
    {
      env: 'DOCENT_S3_BUCKET',
      description:
        'With `DATABASE_URL`: an existing bucket that stores shared indexes and repositories instead of the database.',
      defaultText: 'none: the database stores them',
    },
  ),
  s3Endpoint: setting(httpUrl.optional(), {
    env: 'DOCENT_S3_ENDPOINT',
    description: 'Endpoint of the S3-compatible service, such as `https://s3.eu-central-1.amazonaws.com`.',
    defaultText: 'none',
  }),
  s3Region: setting(z.string().min(1).default('us-east-1'), {
    env: 'DOCENT_S3_REGION',
    description: 'Region of the bucket.',
  }),
  s3AccessKeyId: setting(z.string().min(1).optional(), {
    env: 'DOCENT_S3_ACCESS_KEY_ID',
    description: 'Access key ID for the bucket. It needs permission to get, put and delete objects.',
    defaultText: 'none',
  }),
  s3SecretAccessKey: setting(z.string().min(1).optional(), {
    env: 'DOCENT_S3_SECRET_ACCESS_KEY',
    description: 'Secret access key for the bucket.',
    defaultText: 'none',
    isSecret: true,
  }),
  s3Prefix: setting(
    z
      .string()
      .regex(/^(?:[\w.-]+\/)*$/, { error: 'is not empty or a path that ends with a slash, such as docent/' })
      .default('docent/'),
    {
      env: 'DOCENT_S3_PREFIX',
      description: 'Prefix of object names in the bucket: empty, or a path that ends with a slash.',
    },
  ),
}
