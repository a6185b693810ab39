import { z } from 'zod'
import { pageOf } from './page-of.ts'
import { timestamp } from './timestamp.ts'

export const codeHostAppSchema = z
  .object({
    id: z.string(),
    kind: z.literal('github'),
    origin: z.string().meta({ description: 'The code host, such as `https://github.com`.' }),
    appId: z.string().meta({ description: "The App's id on the host." }),
    slug: z.string(),
    hasWebhookSecret: z.boolean(),
    hasVerifiedCommits: z.boolean(),
    installUrl: z.string().meta({ description: 'Where to install the App on further repositories.' }),
    createdAt: timestamp(),
  })
  .meta({ id: 'CodeHostApp' })

export const codeHostAppListSchema = pageOf(codeHostAppSchema, 'CodeHostAppList')

export const codeHostAppCreateSchema = z
  .object({
    kind: z.literal('github'),
    origin: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .default('https://github.com')
      .meta({ description: '`https://github.com`, or the address of a GitHub Enterprise Server.' }),
    appId: z.string().regex(/^\d{1,20}$/, { error: 'must be the numeric id of the App' }),
    slug: z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/, { error: "must be the App's slug: a-z, 0-9 and -" }),
    privateKey: z
      .string()
      .max(20_000)
      .regex(/^\s*-----BEGIN (?:RSA )?PRIVATE KEY-----[A-Za-z0-9+/=\s]+-----END (?:RSA )?PRIVATE KEY-----\s*$/, {
        error: 'must be the private key in PEM format, as downloaded from GitHub: it begins with -----BEGIN',
      })
      .meta({ description: 'Private key in PEM format. Stored encrypted and never shown again.' }),
    webhookSecret: z
      .string()
      .min(8)
      .max(500)
      .nullish()
      .meta({ description: "Signs the App's webhook deliveries. Stored encrypted and never shown again." }),
    hasVerifiedCommits: z.boolean().default(false).meta({
      description:
        'Whether to create commits through the GitHub API, which signs them as the App, instead of pushing them with git.',
    }),
  })
  .meta({ id: 'CodeHostAppCreate' })

export type CodeHostAppResource = z.output<typeof codeHostAppSchema>
