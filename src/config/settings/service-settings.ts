import { z } from 'zod'
import { chosenKey, httpUrl, postgresUrl, setting, whole } from './setting-shapes.ts'

export const serviceSettings = {
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
  trustProxy: setting(z.string().default('0'), {
    env: 'DOCENT_TRUST_PROXY',
    description:
      'The proxies in front, whose `X-Forwarded-For` is believed: how many there are, or their addresses and CIDR ranges, separated by commas.',
  }),
  connectionsMax: setting(whole(10, 1_000_000).default(10_000), {
    env: 'DOCENT_CONNECTIONS_MAX',
    description: 'Connections that one process holds at the same time. More are closed as they come.',
  }),
  shutdownSeconds: setting(whole(0, 600).default(25), {
    env: 'DOCENT_SHUTDOWN_SECONDS',
    description: 'How long running answers may go on after SIGTERM before they are ended with a sentence.',
  }),
  drainDelaySeconds: setting(whole(0, 600).default(0), {
    env: 'DOCENT_DRAIN_DELAY_SECONDS',
    description:
      'How long a server still takes requests after SIGTERM, while `/readyz` says that it is stopping: the time that a load balancer takes to notice. Without a balancer 0 is right.',
  }),
}
