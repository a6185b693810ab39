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
  agentMention: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9](?:[\w.-]{0,37}[A-Za-z0-9])?$/, {
        error: 'is not a name of up to 39 letters, digits, dots, hyphens and underscores, without the sign @',
      })
      .default('docent'),
    {
      env: 'DOCENT_AGENT_MENTION',
      description:
        'The name that comments on pull requests call the agent by, without the sign `@`. Choose one that no user of the code host has.',
    },
  ),
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
  limitPrefixPerMinute: setting(whole(0, 1_000_000_000).default(0), {
    env: 'DOCENT_LIMIT_PREFIX_PER_MINUTE',
    description:
      'Assistant messages per minute of all addresses of one network together: the first 24 bits of IPv4, 48 of IPv6. 0 sets no such limit.',
  }),
  limitPrefixPerDay: setting(whole(0, 1_000_000_000).default(0), {
    env: 'DOCENT_LIMIT_PREFIX_PER_DAY',
    description: 'Assistant messages per day (UTC) of all addresses of one network together. 0 sets no such limit.',
  }),
  limitSearchPerHour: setting(limit().default(10_000), {
    env: 'DOCENT_LIMIT_SEARCH_PER_HOUR',
    description: 'Search and page requests per organization and hour.',
  }),
  limitJobsPerHour: setting(limit().default(100), {
    env: 'DOCENT_LIMIT_JOBS_PER_HOUR',
    description: 'Agent jobs and follow-ups per project and hour.',
  }),
  answersAtOnce: setting(whole(1, 100_000).default(4_000), {
    env: 'DOCENT_ANSWERS_AT_ONCE',
    description:
      'Answers that one process gives at the same time. One site has at most three quarters of them. Who finds no place within 2 seconds is told to come back, with 503.',
  }),
  connectionsMax: setting(whole(10, 1_000_000).default(10_000), {
    env: 'DOCENT_CONNECTIONS_MAX',
    description: 'Connections that one process holds at the same time. More are closed as they come.',
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
        'Whether sites may be crawled, and read from repositories by address, and webhooks be sent, on this machine, in private networks and to other ports than 80 and 443. `true` or `false`.',
    },
  ),
  sourceFolders: setting(
    z
      .string()
      .regex(/^\s*\/[^,]*(?:,\s*\/[^,]*)*$/, { error: 'is not a list of absolute paths such as /srv/docs, /srv/wiki' })
      .optional(),
    {
      env: 'DOCENT_SOURCE_FOLDERS',
      description:
        'Folders of this machine, separated by commas, that sites may be read and repositories be imported from when an admin key or the dashboard asks. Commands on this machine may name any folder. The data folder is never read.',
      defaultText: 'any folder while the server listens to this machine alone and has no `DOCENT_BASE_URL`, else none',
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
  resumeGraceSeconds: setting(whole(0, 600).default(20), {
    env: 'DOCENT_RESUME_GRACE_SECONDS',
    description:
      'How long an answer that can be resumed goes on after its reader has left, before the model is stopped. 0 stops it at once.',
  }),
  oidcIssuer: setting(httpUrl.optional(), {
    env: 'DOCENT_OIDC_ISSUER',
    description:
      'The issuer of the provider of OpenID Connect that members sign in with, such as `https://login.example.com`. https, but on this machine.',
    defaultText: 'none',
  }),
  oidcClientId: setting(z.string().min(1).optional(), {
    env: 'DOCENT_OIDC_CLIENT_ID',
    description: 'What the provider calls Docent. Required with `DOCENT_OIDC_ISSUER`.',
    defaultText: 'none',
  }),
  oidcClientSecret: setting(z.string().min(1).optional(), {
    env: 'DOCENT_OIDC_CLIENT_SECRET',
    description: 'The secret of Docent at the provider. Without one it is a public client.',
    defaultText: 'none',
    isSecret: true,
  }),
  oidcName: setting(z.string().min(1).max(60).default('single sign-on'), {
    env: 'DOCENT_OIDC_NAME',
    description: 'The name of the provider on the button.',
  }),
  oidcDomains: setting(
    z
      .string()
      .regex(/^\s*[^\s@,]+\.[^\s@,]+(?:\s*,\s*[^\s@,]+\.[^\s@,]+)*\s*$/, {
        error: 'is not a list of domains such as example.com, example.org',
      })
      .optional(),
    {
      env: 'DOCENT_OIDC_DOMAINS',
      description:
        'Domains of e-mail addresses, separated by commas. Whom the provider confirms with an address there becomes a viewer.',
      defaultText: 'none: members are invited',
    },
  ),
  oidcRoleClaim: setting(z.string().min(1).max(200).default('groups'), {
    env: 'DOCENT_OIDC_ROLE_CLAIM',
    description: 'The claim that names the groups of a person.',
  }),
  oidcRoles: setting(
    z
      .string()
      .regex(/^\s*[^,]+=(?:viewer|editor|owner)(?:\s*,\s*[^,]+=(?:viewer|editor|owner))*\s*$/, {
        error: 'is not a list such as docs-admins=owner, writers=editor',
      })
      .optional(),
    {
      env: 'DOCENT_OIDC_ROLES',
      description:
        'The roles that groups give, as `group=role`, separated by commas. Whoever is in one becomes a member, and has its role from the next sign-in on.',
      defaultText: 'none',
    },
  ),
  auditRetentionDays: setting(whole(0, 36_500).default(365), {
    env: 'DOCENT_AUDIT_RETENTION_DAYS',
    description: 'How many days entries of the audit log are kept. 0 keeps them for ever.',
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
  drainDelaySeconds: setting(whole(0, 600).default(0), {
    env: 'DOCENT_DRAIN_DELAY_SECONDS',
    description:
      'How long a server still takes requests after SIGTERM, while `/readyz` says that it is stopping: the time that a load balancer takes to notice. Without a balancer 0 is right.',
  }),
  metricsPort: setting(whole(0, 65_535).optional(), {
    env: 'DOCENT_METRICS_PORT',
    description:
      'The port that metrics for Prometheus are served on, at `/metrics`. It is never the port of the service, so that the public does not reach it. 0 takes a free one and logs it.',
    defaultText: 'none: nothing is measured',
  }),
  metricsHost: setting(z.string().min(1).default('127.0.0.1'), {
    env: 'DOCENT_METRICS_HOST',
    description:
      'The address that metrics are served on. With `0.0.0.0`, whoever reaches the machine can read them: set `DOCENT_METRICS_TOKEN` as well.',
  }),
  metricsToken: setting(z.string().min(16, { error: 'is shorter than 16 characters' }).optional(), {
    env: 'DOCENT_METRICS_TOKEN',
    description: 'What a collector of metrics has to send as `Authorization: Bearer …`.',
    defaultText: 'none: nothing is asked for',
    isSecret: true,
  }),
  otlpEndpoint: setting(httpUrl.optional(), {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description:
      'The collector of OpenTelemetry that traces are sent to, such as `http://localhost:4318`. They go to its path `/v1/traces` as OTLP in JSON over HTTP.',
    defaultText: 'none: nothing is traced',
  }),
  otlpTracesEndpoint: setting(httpUrl.optional(), {
    env: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    description: 'The whole address that traces are posted to. Wins over `OTEL_EXPORTER_OTLP_ENDPOINT`.',
    defaultText: '`OTEL_EXPORTER_OTLP_ENDPOINT` with `/v1/traces`',
  }),
  otlpHeaders: setting(
    z
      .string()
      .regex(/^\s*[\w-]+\s*=[^,]*(?:,\s*[\w-]+\s*=[^,]*)*$/, {
        error: 'is not a list such as authorization=Bearer%20abc, x-team=docs',
      })
      .optional(),
    {
      env: 'OTEL_EXPORTER_OTLP_HEADERS',
      description: 'Headers for the collector, as `name=value` with commas between. Values are percent-encoded.',
      defaultText: 'none',
      isSecret: true,
    },
  ),
  otelServiceName: setting(z.string().min(1).max(255).default('docent'), {
    env: 'OTEL_SERVICE_NAME',
    description: 'What Docent is called in traces. `OTEL_RESOURCE_ATTRIBUTES` adds what else you want to tell.',
  }),
  tracesSampler: setting(
    z
      .enum(
        [
          'always_on',
          'always_off',
          'traceidratio',
          'parentbased_always_on',
          'parentbased_always_off',
          'parentbased_traceidratio',
        ],
        { error: 'is not one of the samplers always_on, always_off and traceidratio, alone or after parentbased_' },
      )
      .default('parentbased_always_on'),
    {
      env: 'OTEL_TRACES_SAMPLER',
      description:
        'Which traces are kept. Those whose names begin with `parentbased_` do what the caller did, where it sent a `traceparent`; choose another where the public reaches the service.',
    },
  ),
  tracesSamplerArg: setting(
    z.coerce
      .number({ error: 'is not a number' })
      .min(0, { error: 'is below 0' })
      .max(1, { error: 'is above 1' })
      .default(1),
    { env: 'OTEL_TRACES_SAMPLER_ARG', description: 'The share of traces that `traceidratio` keeps, from 0 to 1.' },
  ),
  otelDisabled: setting(
    z
      .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })], {
        error: 'is neither true nor false',
      })
      .default(false),
    { env: 'OTEL_SDK_DISABLED', description: 'Turns off traces, whatever else is set. `true` or `false`.' },
  ),
  traceContent: setting(
    z
      .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })], {
        error: 'is neither true nor false',
      })
      .default(false),
    {
      env: 'DOCENT_TRACE_CONTENT',
      description:
        'Whether traces hold what models were asked and what they answered. Readers write personal things: `true` only where you may collect them. `true` or `false`.',
    },
  ),
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
