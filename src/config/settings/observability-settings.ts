import { z } from 'zod'
import { flag, httpUrl, setting, whole } from './setting-shapes.ts'

export const observabilitySettings = {
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
  otelDisabled: setting(flag(false), {
    env: 'OTEL_SDK_DISABLED',
    description: 'Turns off traces, whatever else is set. `true` or `false`.',
  }),
  traceContent: setting(flag(false), {
    env: 'DOCENT_TRACE_CONTENT',
    description:
      'Whether traces hold what models were asked and what they answered. Readers write personal things: `true` only where you may collect them. `true` or `false`.',
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
}
