import { z } from 'zod'

export const codeHostAppSchema = z
  .object({
    id: z.string(),
    kind: z.literal('github'),
    origin: z.string().meta({ description: 'The code host, such as `https://github.com`.' }),
    appId: z.string().meta({ description: 'The number that the host gave the App.' }),
    slug: z.string(),
    hasWebhookSecret: z.boolean(),
    hasVerifiedCommits: z.boolean(),
    installUrl: z.string().meta({ description: 'Where the App is installed on further repositories.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'CodeHostApp' })

export const codeHostAppListSchema = z
  .object({ items: z.array(codeHostAppSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'CodeHostAppList' })

export const codeHostAppCreateSchema = z
  .object({
    kind: z.literal('github'),
    origin: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .default('https://github.com')
      .meta({ description: 'The code host: `https://github.com`, or the address of an Enterprise Server.' }),
    appId: z.string().regex(/^\d{1,20}$/, { error: 'is the number of the App: digits only' }),
    slug: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,99}$/, { error: 'is the name of the App in addresses: a-z, 0-9 and -' }),
    privateKey: z
      .string()
      .max(20_000)
      .regex(/^\s*-----BEGIN (?:RSA )?PRIVATE KEY-----[A-Za-z0-9+/=\s]+-----END (?:RSA )?PRIVATE KEY-----\s*$/, {
        error: 'is the private key as GitHub gives it: a PEM text that begins with -----BEGIN',
      })
      .meta({ description: 'PEM. Stored encrypted, and never shown again.' }),
    webhookSecret: z
      .string()
      .min(8)
      .max(500)
      .nullish()
      .meta({ description: 'Signs the deliveries of the App. Stored encrypted, and never shown again.' }),
    hasVerifiedCommits: z.boolean().default(false).meta({
      description:
        'Whether commits are made over the interface of GitHub, which signs them as the App, instead of being pushed by git.',
    }),
  })
  .meta({ id: 'CodeHostAppCreate' })

export type CodeHostAppResource = z.output<typeof codeHostAppSchema>
