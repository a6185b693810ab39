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

const modelList = (error: string) =>
  z.string().regex(/^\s*[a-z0-9-]+\/[^\s,]+(?:\s*,\s*[a-z0-9-]+\/[^\s,]+)*\s*$/, { error })

const dollars = (amount: number) =>
  z.coerce
    .number({ error: 'is not a number' })
    .min(0.01, { error: 'is below 0.01' })
    .max(1_000_000, { error: 'is above 1000000' })
    .default(amount)

const price = String.raw`\d+(?:\.\d+)?`
const priceEntry = String.raw`[a-z0-9-]+\/[^\s,=]*=${price}:${price}(?::${price})?`
const priceList = z.string().regex(new RegExp(String.raw`^\s*${priceEntry}(?:\s*,\s*${priceEntry})*\s*$`), {
  error: 'is not a list such as openai/gpt-5=1.25:10, in US dollars per million tokens of input and output',
})

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
    description:
      'The model that answers, as `provider/model`. Providers: `openai`, `openai-chat`, `anthropic`, `google`, `openai-compatible`. `docent/offline` answers by quoting and needs no key.',
  }),
  modelFallbacks: setting(modelList('is not a list of models such as openai/gpt-5-mini, docent/offline').optional(), {
    env: 'DOCENT_MODEL_FALLBACKS',
    description:
      'Models that are tried in this order when the model before gives no first word, as `provider/model`, separated by commas.',
    defaultText: 'none',
  }),
  modelBaseUrl: setting(httpUrl.optional(), {
    env: 'DOCENT_MODEL_BASE_URL',
    description:
      'The address of the provider of `DOCENT_MODEL`, for one that is not at its usual place, with its version: `http://localhost:11434/v1`. Required for `openai-compatible`.',
    defaultText: "the provider's own",
  }),
  modelApiKey: setting(z.string().min(1).optional(), {
    env: 'DOCENT_MODEL_API_KEY',
    description:
      "The key of the provider of `DOCENT_MODEL`. Wins over the provider's own variable; fallbacks at another provider never get it.",
    defaultText: "the provider's own variable",
    isSecret: true,
  }),
  openaiApiKey: setting(z.string().min(1).optional(), {
    env: 'OPENAI_API_KEY',
    description: 'The key for models of `openai` and `openai-chat`.',
    defaultText: 'none',
    isSecret: true,
  }),
  anthropicApiKey: setting(z.string().min(1).optional(), {
    env: 'ANTHROPIC_API_KEY',
    description: 'The key for models of `anthropic`.',
    defaultText: 'none',
    isSecret: true,
  }),
  googleApiKey: setting(z.string().min(1).optional(), {
    env: 'GOOGLE_GENERATIVE_AI_API_KEY',
    description: 'The key for models of `google`.',
    defaultText: 'none',
    isSecret: true,
  }),
  rewriteModel: setting(modelId.optional(), {
    env: 'DOCENT_REWRITE_MODEL',
    description:
      'A model that makes follow-up questions understandable for the search, as `provider/model`: a small one answers sooner. `docent/offline` turns that off.',
    defaultText: '`DOCENT_MODEL`',
  }),
  siteCostPerDay: setting(
    z.coerce.number({ error: 'is not a number' }).min(0, { error: 'is below 0' }).max(1_000_000).optional(),
    {
      env: 'DOCENT_SITE_COST_PER_DAY',
      description:
        'Most US dollars that the answers of a site may cost in one UTC day; beyond, the offline model answers. Sites may set their own.',
      defaultText: 'no ceiling',
    },
  ),
  maskPrompts: setting(
    z
      .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })], {
        error: 'is neither true nor false',
      })
      .default(false),
    {
      env: 'DOCENT_MASK_PROMPTS',
      description:
        'Whether keys, tokens, e-mail addresses and card numbers are taken out of what a reader writes before a model gets to read it. `true` or `false`.',
    },
  ),
  modelsWithoutTools: setting(modelList('is not a list of models such as openai-compatible/gemma3').optional(), {
    env: 'DOCENT_MODELS_WITHOUT_TOOLS',
    description:
      'Models that cannot call tools, separated by commas: what the search found stands in their prompt instead. A model that refuses a call for its tools is found out by itself.',
    defaultText: 'none',
  }),
  modelPrices: setting(priceList.optional(), {
    env: 'DOCENT_MODEL_PRICES',
    description:
      'Prices in US dollars per million tokens of input, output and, after a second colon, cached input, by the beginning of the model id, separated by commas: `openai/gpt-5=1.25:10:0.125`. They win over the built-in list prices.',
    defaultText: 'list prices',
  }),
  modelRetries: setting(whole(0, 5).default(2), {
    env: 'DOCENT_MODEL_RETRIES',
    description: 'How often a model is called again after it failed in passing, before the next one is tried.',
  }),
  modelConnectSeconds: setting(whole(1, 280).default(30), {
    env: 'DOCENT_MODEL_CONNECT_SECONDS',
    description:
      'The longest time until a provider begins its reply. Raise it for local models that are loaded at the first question.',
  }),
  modelFirstTokenSeconds: setting(whole(1, 280).default(60), {
    env: 'DOCENT_MODEL_FIRST_TOKEN_SECONDS',
    description: 'The longest time until the first word of a model, connecting included.',
  }),
  modelSilenceSeconds: setting(whole(1, 280).default(30), {
    env: 'DOCENT_MODEL_SILENCE_SECONDS',
    description: 'The longest silence of a model in the middle of an answer.',
  }),
  modelCallSeconds: setting(whole(1, 900).default(300), {
    env: 'DOCENT_MODEL_CALL_SECONDS',
    description: 'The longest time of one call of a model, with its retries and fallbacks.',
  }),
  agentModel: setting(modelId.optional(), {
    env: 'DOCENT_AGENT_MODEL',
    description:
      'The model of the agent, as `provider/model`. `docent/offline` follows literal instructions and needs no key.',
    defaultText: '`DOCENT_MODEL`',
  }),
  agentModelFallbacks: setting(
    modelList('is not a list of models such as openai/gpt-5-mini, anthropic/claude-sonnet-4-5').optional(),
    {
      env: 'DOCENT_AGENT_MODEL_FALLBACKS',
      description: 'Models that the agent tries in this order when the model before gives no first word.',
      defaultText: '`DOCENT_MODEL_FALLBACKS` where `DOCENT_AGENT_MODEL` is not set, else none',
    },
  ),
  agentModelBaseUrl: setting(httpUrl.optional(), {
    env: 'DOCENT_AGENT_MODEL_BASE_URL',
    description: 'The address of the provider of `DOCENT_AGENT_MODEL`, for one that is not at its usual place.',
    defaultText: "that of `DOCENT_MODEL` where it is the same provider, else the provider's own",
  }),
  agentModelApiKey: setting(z.string().min(1).optional(), {
    env: 'DOCENT_AGENT_MODEL_API_KEY',
    description: "The key of the provider of `DOCENT_AGENT_MODEL`. Wins over the provider's own variable.",
    defaultText: "that of `DOCENT_MODEL` where it is the same provider, else the provider's own variable",
    isSecret: true,
  }),
  agentMaxSteps: setting(whole(1, 1_000).default(60), {
    env: 'DOCENT_AGENT_MAX_STEPS',
    description: 'Most calls of the model for one message of a job. What is done by then becomes a draft.',
  }),
  agentMaxTokens: setting(whole(1_000, 1_000_000_000).default(2_000_000), {
    env: 'DOCENT_AGENT_MAX_TOKENS',
    description: 'Most tokens, input and output together, for one message of a job.',
  }),
  agentMaxMinutes: setting(whole(1, 1_440).default(30), {
    env: 'DOCENT_AGENT_MAX_MINUTES',
    description: 'Most minutes that one message of a job is worked on, waiting not counted.',
  }),
  agentMaxUsd: setting(dollars(5), {
    env: 'DOCENT_AGENT_MAX_USD',
    description: 'Most US dollars for one message of a job. Counts models with a known price.',
  }),
  agentDayUsd: setting(dollars(50), {
    env: 'DOCENT_AGENT_DAY_USD',
    description: 'Most US dollars for all jobs of a project in one UTC day. Counts models with a known price.',
  }),
  agentDayTokens: setting(whole(1_000, 1_000_000_000_000).default(50_000_000), {
    env: 'DOCENT_AGENT_DAY_TOKENS',
    description: 'Most tokens for all jobs of a project in one UTC day.',
  }),
  agentJobsAtOnce: setting(whole(1, 64).default(4), {
    env: 'DOCENT_AGENT_JOBS_AT_ONCE',
    description: 'Jobs that one process works on at the same time.',
  }),
  embeddingModel: setting(
    z
      .string()
      .regex(/^[a-z0-9-]+\/\S+$/, { error: 'is not of the form provider/model, such as openai/text-embedding-3-small' })
      .optional(),
    {
      env: 'DOCENT_EMBEDDING_MODEL',
      description:
        'The embedding model that the search uses beside its words, as `provider/model`. Providers: `openai`, `google`, `openai-compatible`. The text of all searchable pages and of every question goes to it.',
      defaultText: 'none',
    },
  ),
  embeddingBaseUrl: setting(httpUrl.optional(), {
    env: 'DOCENT_EMBEDDING_BASE_URL',
    description:
      'The address of the provider of `DOCENT_EMBEDDING_MODEL`, for one that is not at its usual place, with its version: `http://localhost:11434/v1`.',
    defaultText: "that of `DOCENT_MODEL` where it is the same provider, else the provider's own",
  }),
  embeddingApiKey: setting(z.string().min(1).optional(), {
    env: 'DOCENT_EMBEDDING_API_KEY',
    description:
      "The key of the provider of `DOCENT_EMBEDDING_MODEL`. Wins over the provider's own variable. `DOCENT_MODEL_API_KEY` is used where the provider is the same and `DOCENT_EMBEDDING_BASE_URL` is not set.",
    defaultText: "the provider's own variable",
    isSecret: true,
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
    description: 'Agent jobs and follow-ups per project and hour.',
  }),
  trustProxy: setting(z.string().default('0'), {
    env: 'DOCENT_TRUST_PROXY',
    description:
      'The proxies in front, whose `X-Forwarded-For` is believed: how many there are, or their addresses and CIDR ranges, separated by commas.',
  }),
  pollMinutes: setting(whole(0, 1_440).default(5), {
    env: 'DOCENT_POLL_MINUTES',
    description:
      'How often git repositories of sites are asked for changes, in minutes. Folders are looked at every minute. 0 turns off all looking, crawls included.',
  }),
  crawlHours: setting(whole(0, 8_760).default(24), {
    env: 'DOCENT_CRAWL_HOURS',
    description: 'How often crawled sites are fetched again, in hours. 0 fetches them only when a sync is asked for.',
  }),
  allowPrivateAddresses: setting(
    z
      .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })], {
        error: 'is neither true nor false',
      })
      .default(false),
    {
      env: 'DOCENT_ALLOW_PRIVATE_ADDRESSES',
      description:
        'Whether sites may be crawled, and read from repositories by address, on this machine and in private networks. `true` or `false`.',
    },
  ),
  pushToDefaultBranch: setting(
    z
      .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })], {
        error: 'is neither true nor false',
      })
      .default(false),
    {
      env: 'DOCENT_PUSH_TO_DEFAULT_BRANCH',
      description:
        'Whether admin keys with the scope `write` may push to the default branch of a repository of the built-in host. Without it only merges of pull requests move it. `true` or `false`.',
    },
  ),
  resumeGraceSeconds: setting(whole(0, 600).default(20), {
    env: 'DOCENT_RESUME_GRACE_SECONDS',
    description:
      'How long an answer that can be resumed goes on after its reader has left, before the model is stopped. 0 stops it at once.',
  }),
  retentionDays: setting(whole(0, 36_500).default(90), {
    env: 'DOCENT_RETENTION_DAYS',
    description: 'How many days a conversation is kept after its newest answer. 0 keeps it for ever.',
  }),
  maskStored: setting(
    z
      .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })], {
        error: 'is neither true nor false',
      })
      .default(true),
    {
      env: 'DOCENT_MASK_STORED',
      description:
        'Whether keys, tokens, e-mail addresses and card numbers are taken out of questions, answers and feedback before they are stored. `true` or `false`.',
    },
  ),
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
