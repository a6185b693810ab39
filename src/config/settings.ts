import { z } from 'zod'

/** What the configuration knows of one setting beyond its shape. */
export interface SettingMeta {
  /** The environment variable; the key of the same setting in `docent.config.json` is the schema's own. */
  env: string
  description: string
  /** Shown where the default is computed and not a value. */
  defaultText?: string
  /** Never printed. */
  isSecret?: boolean
}

const setting = <T extends z.ZodType>(schema: T, meta: SettingMeta): T => schema.meta({ ...meta })

const whole = (minimum: number, maximum: number) =>
  z.coerce
    .number({ error: 'is not a whole number' })
    .int({ error: 'is not a whole number' })
    .min(minimum, { error: `is below ${minimum}` })
    .max(maximum, { error: `is above ${maximum}` })

const limit = () => whole(1, 1_000_000_000)

const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'is not an http or https address such as https://docs.example.com',
})

const postgresUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'is not an address such as postgres://user:password@host:5432/docent',
})

/** Keys that an operator chooses himself must be as hard to guess as generated ones. */
const chosenKey = (pattern: RegExp, article: string, prefix: string) =>
  z.string().regex(pattern, {
    error: `is not ${article}: it starts with ${prefix} and goes on with 32 or more letters, digits, - or _`,
  })

const modelId = z
  .string()
  .regex(/^[a-z0-9-]+\/\S+$/, { error: 'is not of the form provider/model, such as openai/gpt-5 or docent/offline' })

/**
 * Every setting of Docent, in the order of the reference page that is made from it. The environment wins over
 * `docent.config.json`, which wins over the defaults.
 */
export const settingsSchema = z.strictObject({
  port: setting(whole(0, 65_535).default(4000), {
    env: 'PORT',
    description: 'The port that HTTP listens on. 0 takes a free one and prints it.',
  }),
  host: setting(z.string().min(1).default('127.0.0.1'), {
    env: 'HOST',
    description: 'The address that HTTP listens on. `0.0.0.0` listens on every interface.',
  }),
  baseUrl: setting(httpUrl.transform((url) => url.replace(/\/+$/, '')).optional(), {
    env: 'DOCENT_BASE_URL',
    description: 'The address that clients see, used in links and `prLink`.',
    defaultText: '`http://HOST:PORT`',
  }),
  dataFolder: setting(z.string().min(1).default('./data'), {
    env: 'DOCENT_DATA',
    description: 'The folder of the embedded database, the search indexes and generated secrets.',
  }),
  databaseUrl: setting(postgresUrl.optional(), {
    env: 'DATABASE_URL',
    description: 'A PostgreSQL database (15 or newer) to use instead of the embedded one. Needs `DOCENT_SECRET_KEY`.',
    defaultText: 'the embedded database',
    isSecret: true,
  }),
  secretKey: setting(z.string().min(32, { error: 'is shorter than 32 characters' }).optional(), {
    env: 'DOCENT_SECRET_KEY',
    description: 'Encrypts stored credentials and signs sessions. Replicas share it. Required with `DATABASE_URL`.',
    defaultText: 'generated into the data folder',
    isSecret: true,
  }),
  adminKey: setting(chosenKey(/^svc_(?!dsc_)[\w-]{32,200}$/, 'an admin key', 'svc_').optional(), {
    env: 'DOCENT_ADMIN_KEY',
    description: 'The admin key that the first start creates.',
    defaultText: 'generated, printed once',
    isSecret: true,
  }),
  assistantKey: setting(chosenKey(/^svc_dsc_[\w-]{32,200}$/, 'an assistant key', 'svc_dsc_').optional(), {
    env: 'DOCENT_ASSISTANT_KEY',
    description: 'The assistant key that the first start creates.',
    defaultText: 'generated, printed once',
    isSecret: true,
  }),
  model: setting(modelId.default('docent/offline'), {
    env: 'DOCENT_MODEL',
    description: 'The model that answers, as `provider/model`. `docent/offline` answers by quoting and needs no key.',
  }),
  modelBaseUrl: setting(httpUrl.optional(), {
    env: 'DOCENT_MODEL_BASE_URL',
    description:
      'The address of the model provider, for one that is not at its usual place. `docent/offline` has none.',
    defaultText: "the provider's own",
  }),
  modelApiKey: setting(z.string().min(1).optional(), {
    env: 'DOCENT_MODEL_API_KEY',
    description: 'The key of the model provider. `docent/offline` needs none.',
    defaultText: "the provider's own variable",
    isSecret: true,
  }),
  agentModel: setting(modelId.optional(), {
    env: 'DOCENT_AGENT_MODEL',
    description: 'The model of the agent. Reserved: this version has no agent yet.',
    defaultText: '`DOCENT_MODEL`',
  }),
  embeddingModel: setting(modelId.optional(), {
    env: 'DOCENT_EMBEDDING_MODEL',
    description: 'The embedding model of the search. Reserved: this version searches without one.',
    defaultText: 'none',
  }),
  limitKeyPerMonth: setting(limit().default(10_000), {
    env: 'DOCENT_LIMIT_KEY_PER_MONTH',
    description: 'Assistant messages per assistant key and calendar month (UTC).',
  }),
  limitOrgPerHour: setting(limit().default(10_000), {
    env: 'DOCENT_LIMIT_ORG_PER_HOUR',
    description: 'Assistant messages per organization and hour.',
  }),
  limitIpPerDay: setting(limit().default(10_000), {
    env: 'DOCENT_LIMIT_IP_PER_DAY',
    description: 'Assistant messages per client address and day (UTC).',
  }),
  limitSearchPerHour: setting(limit().default(10_000), {
    env: 'DOCENT_LIMIT_SEARCH_PER_HOUR',
    description: 'Search and page requests per organization and hour.',
  }),
  limitJobsPerHour: setting(limit().default(100), {
    env: 'DOCENT_LIMIT_JOBS_PER_HOUR',
    description: 'Agent jobs and follow-ups per project and hour. Reserved: this version has no agent yet.',
  }),
  trustProxy: setting(z.string().default('0'), {
    env: 'DOCENT_TRUST_PROXY',
    description:
      'The proxies in front, whose `X-Forwarded-For` is believed: how many there are, or their addresses and CIDR ranges, separated by commas.',
  }),
  shutdownSeconds: setting(whole(0, 600).default(25), {
    env: 'DOCENT_SHUTDOWN_SECONDS',
    description: 'How long running answers may go on after SIGTERM before they are ended with a sentence.',
  }),
  logLevel: setting(
    z
      .enum(['debug', 'info', 'warn', 'error', 'silent'], { error: 'is not one of debug, info, warn, error, silent' })
      .default('info'),
    {
      env: 'DOCENT_LOG_LEVEL',
      description: 'The least level that is logged: `debug`, `info`, `warn`, `error` or `silent`.',
    },
  ),
})

export type Settings = z.output<typeof settingsSchema>
export type SettingName = keyof Settings

/** The settings in reference order, each with what is known of it. */
export function listSettings(): { name: SettingName; meta: SettingMeta; defaultValue: unknown }[] {
  return Object.entries(settingsSchema.shape).map(([name, schema]) => ({
    name: name as SettingName, // The keys of the shape are the keys of the settings.
    meta: schema.meta() as unknown as SettingMeta, // Every entry above is made by `setting`.
    defaultValue: schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined,
  }))
}
