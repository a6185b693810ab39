import { z } from 'zod'
import { chosenKey, postgresUrl, publicUrl, setting, whole } from './setting-shapes.ts'

export const serviceSettings = {
  port: setting(whole(0, 65_535).default(4000), {
    env: 'PORT',
    description: 'The HTTP port. 0 picks a free one and prints it.',
  }),
  host: setting(z.string().min(1).default('127.0.0.1'), {
    env: 'HOST',
    description: 'The address to listen on. `0.0.0.0` listens on every interface.',
  }),
  baseUrl: setting(publicUrl.optional(), {
    env: 'DOCENT_BASE_URL',
    description: 'The public URL, used in links and `prLink`.',
    defaultText: '`http://HOST:PORT`',
  }),
  dataFolder: setting(z.string().min(1).default('./data'), {
    env: 'DOCENT_DATA',
    description: 'The folder for the embedded database, search indexes and generated secrets.',
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
    description: 'The admin key to create on first start.',
    defaultText: 'generated, printed once',
    isSecret: true,
  }),
  assistantKey: setting(chosenKey(/^svc_dsc_[\w-]{32,200}$/, 'an assistant key', 'svc_dsc_').optional(), {
    env: 'DOCENT_ASSISTANT_KEY',
    description: 'The assistant key to create on first start.',
    defaultText: 'generated, printed once',
    isSecret: true,
  }),
  trustProxy: setting(z.string().default('0'), {
    env: 'DOCENT_TRUST_PROXY',
    description:
      'Reverse proxies whose `X-Forwarded-For` Docent trusts: their number, or their addresses and CIDR ranges, separated by commas.',
  }),
  connectionsMax: setting(whole(10, 1_000_000).default(10_000), {
    env: 'DOCENT_CONNECTIONS_MAX',
    description: 'Maximum open connections per process. Further ones are closed at once.',
  }),
  contentSignals: setting(
    z
      .string()
      .regex(/^(?:none|(?:search|ai-input|ai-train)=(?:yes|no)(?:, ?(?:search|ai-input|ai-train)=(?:yes|no)){0,2})$/, {
        error: 'is neither none nor a list such as search=yes, ai-input=yes, ai-train=no',
      })
      .default('search=yes, ai-input=yes'),
    {
      env: 'DOCENT_CONTENT_SIGNALS',
      description:
        'What `robots.txt` allows programs to do with public pages: `search`, `ai-input` and `ai-train`, each `yes` or `no`, separated by commas. Omitted signals are not stated; `none` states nothing.',
    },
  ),
  shutdownSeconds: setting(whole(0, 600).default(25), {
    env: 'DOCENT_SHUTDOWN_SECONDS',
    description: 'How long running answers may continue after SIGTERM before they end with a notice.',
  }),
  drainDelaySeconds: setting(whole(0, 600).default(0), {
    env: 'DOCENT_DRAIN_DELAY_SECONDS',
    description:
      'How long a server accepts requests after SIGTERM while `/readyz` reports that it is stopping: the time a load balancer needs to notice. Use 0 without a load balancer.',
  }),
}
