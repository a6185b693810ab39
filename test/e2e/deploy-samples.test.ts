import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { loadSettings } from '../../src/config/load-settings.ts'
import { listSettings } from '../../src/config/settings.ts'
import { type ImageStep, readDockerfile } from '../support/read-dockerfile.ts'

// By structure, because no package that is looked after carries the schema of the Compose specification. The objects are
// strict: a key that is not in the specification, or is written wrongly, is refused. How nginx takes its sample is tried
// in `behind-nginx.test.ts`, and what the image does in `packaging.test.ts`.

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFile(join(root, file), 'utf8')

const duration = z.string().regex(/^(?:\d+(?:us|ms|s|m|h))+$/u)
const command = z.array(z.string()).min(1)
const healthcheck = z.union([
  z.strictObject({ disable: z.literal(true) }),
  z.strictObject({
    test: z.tuple([z.enum(['CMD', 'CMD-SHELL'])], z.string()),
    interval: duration.optional(),
    timeout: duration.optional(),
    start_period: duration.optional(),
    retries: z.int().positive().optional(),
  }),
])
const conditions = z.enum(['service_started', 'service_healthy', 'service_completed_successfully'])
const serviceSchema = z.strictObject({
  build: z.string().optional(),
  image: z.string().regex(/^[\w./-]+(?::[\w.-]+)?$/u),
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']).optional(),
  init: z.boolean().optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  secrets: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z
    .union([z.array(z.string()), z.record(z.string(), z.strictObject({ condition: conditions }))])
    .default([]),
  command: command.optional(),
  stop_grace_period: duration.optional(),
  deploy: z.strictObject({ replicas: z.int().positive() }).optional(),
  volumes: z.array(z.string()).default([]),
  healthcheck: healthcheck.optional(),
  ports: z.array(z.string().regex(/^\d+:\d+(?:\/(?:tcp|udp))?$/u)).default([]),
})
const composeSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/u),
  'x-docent': z.unknown(),
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.strictObject({})),
  secrets: z.record(z.string(), z.strictObject({ file: z.string().startsWith('./') })),
})
type Compose = z.output<typeof composeSchema>

const settingNames = new Set(listSettings().map(({ meta }) => meta.env))
const shutdownSeconds = loadSettings({ env: {} }).shutdownSeconds

describe('the compose file', () => {
  let compose: Compose
  let image: ImageStep[]
  beforeAll(async () => {
    compose = composeSchema.parse(parseYaml(await read('compose.yaml'), { merge: true }))
    image = readDockerfile(await read('Dockerfile')).at(-1) ?? []
  })
  const textOf = (keyword: string) => image.find((step) => step.keyword === keyword)?.text ?? ''
  const own = () => Object.entries(compose.services).filter(([, { image: name }]) => name === 'docent')

  it('refers to services, volumes and secrets that it has, and waits only for what can be healthy', () => {
    const missing: string[] = []
    for (const [name, { secrets, volumes, depends_on: before }] of Object.entries(compose.services)) {
      for (const secret of secrets) if (!(secret in compose.secrets)) missing.push(`${name}: secret ${secret}`)
      for (const volume of volumes) {
        const [source = '', target] = volume.split(':')
        const isNamed = target !== undefined && /^[\w-]+$/u.test(source)
        if (isNamed && !(source in compose.volumes)) missing.push(`${name}: volume ${source}`)
        if (!(target ?? source).startsWith('/')) missing.push(`${name}: ${volume} has no place`)
      }
      const awaited = Array.isArray(before) ? before.map((other) => [other, null] as const) : Object.entries(before)
      for (const [other, how] of awaited) {
        const found = compose.services[other]
        if (found === undefined) missing.push(`${name}: service ${other}`)
        else if (how?.condition === 'service_healthy' && !('test' in (found.healthcheck ?? {})))
          missing.push(`${name}: ${other} tells no health`)
      }
    }

    expect(missing).toEqual([])
  })

  it('gives each service the secrets that its settings read, and no setting that there is not', () => {
    const wrong: string[] = []
    for (const [name, { environment, secrets }] of Object.entries(compose.services)) {
      for (const [variable, value] of Object.entries(environment)) {
        const secret = /^\/run\/secrets\/(.+)$/u.exec(value)?.[1]
        if (variable.endsWith('_FILE') && !secrets.includes(secret ?? '')) wrong.push(`${name}: ${variable}=${value}`)
      }
    }
    for (const [name, { environment }] of own()) {
      for (const variable of Object.keys(environment))
        if (!settingNames.has(variable.replace(/_FILE$/u, ''))) wrong.push(`${name}: ${variable} is no setting`)
    }

    expect(wrong).toEqual([])
    expect(own().map(([name]) => name)).toEqual(['serve', 'work'])
  })

  it('runs the image as the Dockerfile makes it: its volume, its port, its health check and its time to drain', async () => {
    const volume = textOf('VOLUME')
    const variables = Object.fromEntries(
      textOf('ENV')
        .split(/\s+/u)
        .map((pair) => pair.split('=')),
    )
    const caddyfile = await read('deploy/caddy/Caddyfile')

    expect(variables).toMatchObject({ DOCENT_DATA: volume, PORT: textOf('EXPOSE'), HOST: '0.0.0.0' })
    expect(Object.keys(variables).filter((name) => name !== 'NODE_ENV' && !settingNames.has(name))).toEqual([])
    expect(textOf('HEALTHCHECK')).toContain('/healthz')
    for (const [, { build, volumes, tmpfs, stop_grace_period: grace = '0s' }] of own()) {
      expect({ build, volumes, tmpfs }).toEqual({ build: '.', volumes: [volume], tmpfs: ['/tmp'] })
      expect(Number.parseInt(grace, 10)).toBeGreaterThan(shutdownSeconds)
    }
    // The worker listens nowhere, so that the check of the image would fail.
    expect(compose.services['work']?.healthcheck).toEqual({ disable: true })
    expect(compose.services['serve']?.healthcheck).toBeUndefined()
    expect(caddyfile).toContain(`{$DOCENT_UPSTREAM_HOST:serve}`)
    expect(caddyfile).toContain(`{$DOCENT_UPSTREAM_PORT:${textOf('EXPOSE')}}`)
  })

  it('opens the ports of the proxy alone', () => {
    const open = Object.entries(compose.services).filter(([, { ports }]) => ports.length > 0)

    expect(open.map(([name]) => name)).toEqual(['proxy'])
  })
})

describe('the Caddyfile', () => {
  it('is made of directives that Caddy has, in blocks that are closed, with variables that it is given', async () => {
    const text = (await read('deploy/caddy/Caddyfile')).replaceAll(/^\s*#.*$/gmu, '')
    const outside = text.replaceAll(/\{\$\w+(?::[^}]*)?\}/gu, 'VALUE')
    let depth = 0
    const depths = outside.split('').flatMap((sign) => (sign === '{' ? [++depth] : sign === '}' ? [--depth] : []))
    const words = outside
      .split('\n')
      .map((line) => line.trim().split(/\s+/u)[0] ?? '')
      .filter((word) => word !== '' && word !== '}' && word !== 'VALUE')

    expect([depth, Math.min(...depths)]).toEqual([0, 0])
    expect(words.filter((word) => !caddyWords.has(word))).toEqual([])
    expect([...text.matchAll(/\{\$(\w+)/gu)].map(([, name]) => name)).toEqual([
      'DOCENT_ADDRESS',
      'DOCENT_UPSTREAM_HOST',
      'DOCENT_UPSTREAM_PORT',
    ])
  })
})

/** Directives and subdirectives of Caddy 2, as far as the sample uses them, and its matcher. */
const caddyWords = new Set([
  '@git',
  'request_body',
  'max_size',
  'reverse_proxy',
  'dynamic',
  'name',
  'port',
  'refresh',
  'flush_interval',
  'lb_try_duration',
  'health_uri',
  'health_interval',
])

describe('the unit of systemd', () => {
  const file = join(root, 'deploy/systemd/docent.service')
  const found = spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' })
  const lacks = found.error !== undefined || found.status !== 0
  if (lacks) process.stderr.write('Skipped the check of the unit by systemd: this machine has no systemd-analyze.\n')

  it.skipIf(lacks)('is taken by systemd without a word', () => {
    const { stdout, stderr, status } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })

    // Of units of the machine that have nothing to do with it, it may have something to say.
    const said = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('docent'))
    expect({ said, status }).toEqual({ said: [], status: 0 })
  })

  it('starts a command that there is, with settings that there are, and waits for its end', async () => {
    const text = await read('deploy/systemd/docent.service')
    const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'mu').exec(text)?.[1] ?? ''
    const variables = valueOf('Environment')
      .split(' ')
      .map((pair) => pair.split('=')[0] ?? '')

    expect(valueOf('ExecStart')).toBe('/usr/bin/env docent start')
    expect(variables.filter((name) => name !== 'NODE_ENV' && !settingNames.has(name))).toEqual([])
    expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThan(shutdownSeconds)
  })
})
