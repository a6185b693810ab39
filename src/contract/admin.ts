import { z } from 'zod'
import { listForges, sourceKinds, tokenUserDefault } from './code-hosts.ts'
import { answerOptions, listAnswerOptions } from './answer-options.ts'
import { keyDefaults, type KeyProtection, keyPurposes } from './key-defaults.ts'
import { pageOf } from './page-of.ts'
import { siteCheckSchema, siteConfirmationSchema } from './site-check.ts'
import { siteSettingsSchema, siteSettingsUpdateSchema } from './site-settings.ts'
import { timestamp } from './timestamp.ts'

/** Items on one page of a list. */
export const listLimits = { max: 200, default: 50 } as const

/** Query parameters of all lists. */
export const listQuerySchema = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(listLimits.max)
    .default(listLimits.default)
    .meta({ description: 'Maximum number of items per page.' }),
  cursor: z.string().max(200).optional().meta({ description: '`nextCursor` of the previous page.' }),
})

export const projectSchema = z
  .object({ id: z.string(), name: z.string(), createdAt: timestamp() })
  .meta({ id: 'Project' })
export const projectListSchema = pageOf(projectSchema, 'ProjectList')

const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Slugs that would shadow our own paths. */
const reservedSlugs: ReadonlySet<string> = new Set([
  'admin',
  'api',
  'assets',
  'auth',
  'dashboard',
  'discovery',
  'healthz',
  'login',
  'logout',
  'mcp',
  'new',
  'openapi',
  'readyz',
  'settings',
  'sites',
  'static',
  'v1',
  'v2',
])

const siteSlugSchema = z
  .string()
  .regex(slugPattern, {
    error: 'may contain only a-z, 0-9 and -, has at most 63 characters, and neither starts nor ends with -',
  })
  .refine((slug) => !reservedSlugs.has(slug), { error: 'is a reserved word: choose another slug' })

const siteSourceSchema = z
  .object({
    kind: z.enum(sourceKinds).meta({
      description: `A folder, a git repository, a repository of the built-in host, a published website to crawl, or a repository on ${listForges('or')}, which accepts pull requests.`,
    }),
    location: z
      .string()
      .min(1)
      .max(4_096)
      .meta({
        description: `Absolute path of a folder or git repository on the server, https address of a git repository (without credentials), name of a repository on the built-in host, such as \`default/docs\`, or address of the website to crawl (only pages below its path are read). For a repository on ${listForges('or')}, its web address, such as \`https://github.com/acme/docs\`.`,
      }),
    origin: z
      .url({ protocol: /^https?$/ })
      .max(4_096)
      .optional()
      .meta({
        description:
          'Base URL of the forge, only if it is installed under a path, such as `https://example.com/gitlab`.',
      }),
    ref: z
      .string()
      .max(255)
      .nullable()
      .default(null)
      .meta({ description: 'Branch, tag or commit; null for the default branch.' }),
    subdirectory: z
      .string()
      .max(1_000)
      .default('')
      .meta({ description: 'Folder of the documentation; empty for the root.' }),
  })
  .meta({ id: 'SiteSource' })

/** Printable and without spaces, because both become part of a header. */
const sourceCredentialSchema = z
  .object({
    username: z
      .string()
      .regex(/^[!-9;-~]{1,200}$/, { error: 'may contain up to 200 printable characters, no colon' })
      .default(tokenUserDefault)
      .meta({
        description: 'Only for plain git hosts that require one; for supported code hosts Docent knows the right name.',
      }),
    token: z
      .string()
      .regex(/^[!-~]{1,4000}$/, { error: 'may contain up to 4,000 printable characters, no spaces' })
      .meta({ description: 'A token with read access to the repository.' }),
  })
  .meta({
    id: 'SourceCredential',
    description: 'Gives access to a repository. Stored encrypted and never shown again.',
  })

const hostname = z
  .string()
  .max(253)
  .regex(/^[a-z0-9.-]+(?::\d+)?$/, { error: 'is not a host name such as docs.example.com' })

export const siteCreateSchema = z
  .object({
    slug: siteSlugSchema.meta({
      description: 'Identifies the site in paths: a-z, 0-9 and hyphens. Cannot be changed.',
    }),
    name: z.string().trim().min(1).max(200).meta({ description: 'Display name.' }),
    source: siteSourceSchema,
    hostnames: z
      .array(hostname)
      .max(20)
      .default([])
      .meta({ description: 'Host names accepted in paths in place of the slug, such as `docs.example.com`.' }),
    url: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null)
      .meta({
        description:
          'Public address of the site, used for links. Null: the pages served by Docent or, for a crawled site, the website itself.',
      }),
    projectId: z.string().default('default'),
    credential: sourceCredentialSchema.nullish(),
  })
  .meta({ id: 'SiteCreate' })

export const findingSchema = z
  .object({
    file: z.string(),
    line: z.number().int().nullable(),
    rule: z.string().meta({ description: 'Stable name of the problem, such as `navigation-page-missing`.' }),
    message: z.string().meta({ description: 'A sentence that says what to do.' }),
  })
  .meta({ id: 'Finding' })

const syncSteps = ['fetching', 'reading', 'building', 'publishing'] as const

export const syncRunSchema = z
  .object({
    id: z.string(),
    siteId: z.string(),
    state: z.enum(['queued', 'running', 'succeeded', 'failed']),
    cause: z.string().meta({ description: 'Why it was queued, such as `sync-requested` or `source-changed`.' }),
    failure: z.string().nullable(),
    progress: z
      .object({
        step: z.enum(syncSteps),
        pagesDone: z.number().int(),
        pagesTotal: z.number().int().meta({ description: '0 until it is known.' }),
      })
      .nullable()
      .meta({ description: 'Progress, or the final state; null before the run starts.' }),
    createdAt: timestamp(),
    finishedAt: timestamp().nullable(),
  })
  .meta({ id: 'SyncRun' })

export const siteUpdateSchema = siteCreateSchema
  .pick({ name: true, hostnames: true, url: true })
  .extend({
    hostnames: z.array(hostname).max(20),
    url: siteCreateSchema.shape.url.unwrap(),
    source: siteSourceSchema.meta({
      description:
        'Changing it starts a sync. A new location drops the stored credential unless the request includes one.',
    }),
    credential: sourceCredentialSchema.nullable().meta({ description: 'Null removes it.' }),
    settings: siteSettingsUpdateSchema,
  })
  .partial()
  .meta({ id: 'SiteUpdate' })

export const siteSchema = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    projectId: z.string(),
    source: siteSourceSchema,
    hasCredential: z.boolean().meta({ description: 'Whether a credential for the source is stored.' }),
    hostnames: z.array(z.string()),
    url: z.string(),
    icon: z.string().nullable().meta({
      description: "Address of the site's icon, which Docent serves from its source; null if it has none.",
    }),
    settings: siteSettingsSchema,
    generation: z
      .object({
        number: z.number().int(),
        revision: z.string().meta({ description: 'The commit or folder digest that it was built from.' }),
        pages: z.number().int(),
        chunks: z.number().int(),
        findings: z.number().int(),
        format: z.string().nullable().meta({ description: 'What the site was read as, such as `docusaurus`.' }),
        check: siteCheckSchema.nullable().meta({ description: 'Null for versions made before such checks.' }),
        createdAt: timestamp(),
      })
      .nullable()
      .meta({
        description: 'The newest version; null before the first sync. It is served unless `confirmation` is set.',
      }),
    confirmation: siteConfirmationSchema.nullable().meta({
      description:
        "Set while the newest version waits for the owner to confirm its page addresses, because most of the site's own links lead nowhere.",
    }),
    run: syncRunSchema.nullable().meta({ description: 'The newest sync.' }),
    createdAt: timestamp(),
  })
  .meta({ id: 'Site' })
export const siteListSchema = pageOf(siteSchema, 'SiteList')

const keyKinds = ['admin', 'assistant'] as const
const keyScopes = ['read', 'write'] as const
const sessionModes = ['off', 'pressure', 'always'] as const satisfies KeyProtection['session'][]

/** Lifetime of a key in days, or forever. */
const keyLifetimes = [7, 30, 60, 90] as const

const website = keyDefaults.website
const requestCount = () => z.number().int().min(0).max(1_000_000)

/** Options of a key, set on creation and changeable later. */
const keyOptions = {
  name: z.string().trim().min(1).max(100).meta({ description: 'Display name of the key.' }),
  expiresInDays: z
    .literal(keyLifetimes)
    .nullable()
    // `enum`, because the OpenAPI generator keeps only the first value of a literal with several.
    .meta({
      description: 'Days until the key expires, counted from now: 7, 30, 60 or 90. Null: never.',
      enum: [...keyLifetimes, null],
    }),
  scopes: z
    .array(z.enum(keyScopes))
    .min(1)
    .meta({ description: 'Admin keys: what the key may do; `write` includes `read`. Default: both.' }),
  ipRanges: z
    .array(z.string().max(64))
    .max(100)
    .meta({ description: 'Addresses or CIDR ranges that may use the key; empty for any.' }),
  origins: z
    .array(z.string().max(300))
    .max(100)
    .meta({ description: 'Assistant keys: allowed origins such as `https://docs.example.com`; empty for any.' }),
  groups: z
    .array(z.string().min(1).max(200))
    .max(100)
    .meta({ description: 'Assistant keys: reader groups granted to users of the key.' }),
  answerOptions: z
    .array(z.enum(answerOptions))
    .max(answerOptions.length)
    .meta({ description: `Assistant keys: how answers are written. ${listAnswerOptions()}` }),
  purpose: z.enum(keyPurposes).meta({
    description:
      'Assistant keys: `website` for keys that are public in a web page, `server` (the default) for keys kept on a server, `pages` for the public key in the pages that Docent serves: one per site, created by the first page view, and usable only from these pages and from `origins`. Sets the defaults of the fields below; changing it resets those that the request does not include. No key changes to or from `pages`.',
  }),
  session: z.enum(sessionModes).meta({
    description: `Assistant keys: when answers, searches, pages and feedback require a session: never, while the client's network exceeds \`normalPerMinute\`, or always. \`${website.session}\` for websites, \`${keyDefaults.server.session}\` for servers.`,
  }),
  normalPerMinute: requestCount()
    .min(1)
    .meta({
      description: `Assistant keys: requests per minute from one network before sessions are required under \`pressure\`. Default: ${website.normalPerMinute}.`,
    }),
  networkPerMinute: requestCount().meta({
    description: `Assistant keys: maximum number of requests per minute from one network (an IPv4 address or an IPv6 /64); 0 for no limit. Default: ${website.networkPerMinute} for websites, 0 for servers.`,
  }),
  networkPerDay: requestCount().meta({
    description: `Assistant keys: maximum number of requests per day (UTC) from one network; 0 for no limit. Default: ${website.networkPerDay} for websites, 0 for servers.`,
  }),
  networkSharePercent: z
    .number()
    .int()
    .min(0)
    .max(100)
    .meta({
      description: `Assistant keys: percent of the key's monthly answers that one network may use in a day; 0 for no limit. Default: ${website.networkSharePercent} for websites, 0 for servers.`,
    }),
}

type Nullish<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodType ? z.ZodOptional<z.ZodNullable<Shape[Name]>> : never
}

/** Clients may send null for omitted fields. */
function nullish<Shape extends z.ZodRawShape>(shape: Shape): Nullish<Shape> {
  const entries = Object.entries(shape).map(([name, schema]) => [name, z.nullish(schema)])
  // `fromEntries` loses the relation between names and schemas.
  return Object.fromEntries(entries) as Nullish<Shape>
}

export const keyCreateSchema = z
  .object({
    kind: z.enum(keyKinds),
    name: keyOptions.name,
    siteId: z
      .string()
      .nullish()
      .meta({ description: 'The site, by id or slug. Required for assistant keys, not allowed for admin keys.' }),
    ...nullish(z.object(keyOptions).omit({ name: true }).shape),
  })
  .meta({ id: 'KeyCreate' })

export const keyUpdateSchema = z
  .strictObject(z.object(keyOptions).partial().shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `Only these can be changed: ${Object.keys(keyOptions).join(', ')}. For another kind or site, create a new key.`
        : undefined,
  })
  .meta({ id: 'KeyUpdate' })

export const keySchema = z
  .object({
    id: z.string(),
    kind: z.enum(keyKinds),
    name: z.string(),
    hint: z.string().meta({ description: 'The last four characters of the key.' }),
    siteId: z.string().nullable(),
    scopes: z.array(z.enum(keyScopes)),
    ipRanges: z.array(z.string()),
    origins: z.array(z.string()),
    groups: z.array(z.string()),
    answerOptions: z.array(z.enum(answerOptions)),
    purpose: z.enum(keyPurposes).nullable().meta({ description: 'Null for admin keys.' }),
    session: z.enum(sessionModes),
    normalPerMinute: z.number().int(),
    networkPerMinute: z.number().int(),
    networkPerDay: z.number().int(),
    networkSharePercent: z.number().int(),
    createdAt: timestamp(),
    expiresAt: timestamp().nullable(),
    lastUsedAt: timestamp().nullable(),
    revokedAt: timestamp().nullable(),
  })
  .meta({ id: 'Key' })
export const keyListSchema = pageOf(keySchema, 'KeyList')

export const keyCreatedSchema = keySchema
  .extend({
    secret: z.string().meta({ description: 'The key itself. Shown only once: Docent stores only a hash of it.' }),
  })
  .meta({ id: 'KeyCreated' })

export const identitySecretSchema = z
  .object({ secret: z.string().meta({ description: 'Signs `X-Docent-Identity` with HS256. Shown only once.' }) })
  .meta({ id: 'IdentitySecret' })

export type ProjectResource = z.output<typeof projectSchema>
export type SiteResource = z.output<typeof siteSchema>
export type SiteCreate = z.output<typeof siteCreateSchema>
export type SiteUpdate = z.output<typeof siteUpdateSchema>
export type SyncRunResource = z.output<typeof syncRunSchema>
export type KeyCreate = z.output<typeof keyCreateSchema>
export type KeyUpdate = z.output<typeof keyUpdateSchema>
export type KeyResource = z.output<typeof keySchema>
