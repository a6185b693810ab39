import { z } from 'zod'
import { httpUrl, setting, whole } from './setting-shapes.ts'

export const storageSettings = {
  indexCacheMegabytes: setting(whole(10, 10_000_000).default(10_240), {
    env: 'DOCENT_INDEX_CACHE_MB',
    description:
      'With `DATABASE_URL`: how many megabytes of index files a process keeps on its disk. Those that were not used for longest go first; what was used within 15 minutes stays in any case.',
  }),
  s3Bucket: setting(
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'is not the name of a bucket' })
      .optional(),
    {
      env: 'DOCENT_S3_BUCKET',
      description:
        'With `DATABASE_URL`: the bucket that holds what processes share of indexes and repositories, instead of the database. It must exist.',
      defaultText: 'none: the database holds them',
    },
  ),
  s3Endpoint: setting(httpUrl.optional(), {
    env: 'DOCENT_S3_ENDPOINT',
    description:
      'The address of the S3-compatible service of `DOCENT_S3_BUCKET`, such as `https://s3.eu-central-1.amazonaws.com`.',
    defaultText: 'none',
  }),
  s3Region: setting(z.string().min(1).default('us-east-1'), {
    env: 'DOCENT_S3_REGION',
    description: 'The region of `DOCENT_S3_BUCKET`, as its service names it.',
  }),
  s3AccessKeyId: setting(z.string().min(1).optional(), {
    env: 'DOCENT_S3_ACCESS_KEY_ID',
    description: 'The id of the key for `DOCENT_S3_BUCKET`. It must be allowed to get, put and delete objects.',
    defaultText: 'none',
  }),
  s3SecretAccessKey: setting(z.string().min(1).optional(), {
    env: 'DOCENT_S3_SECRET_ACCESS_KEY',
    description: 'The secret of the key for `DOCENT_S3_BUCKET`.',
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
      description:
        'What the names of objects in `DOCENT_S3_BUCKET` begin with: a path that ends with a slash, or nothing.',
    },
  ),
}
