import { z } from 'zod'
import { flag, httpUrl, setting, whole } from './setting-shapes.ts'

export const observabilitySettings = {
  metricsPort: setting(whole(0, 65_535).optional(), {
    env: 'DOCENT_METRICS_PORT',
    description:
      "The port for Prometheus metrics, at `/metrics`. Always separate from the service's port, so that metrics are not public. 0 picks a free port and logs it.",
    defaultText: 'none: nothing is measured',
  }),
  metricsHost: setting(z.string().min(1).default('127.0.0.1'), {
    env: 'DOCENT_METRICS_HOST',
    description:
      'The address on which metrics are served. With `0.0.0.0`, anyone who can reach the machine can read them: set `DOCENT_METRICS_TOKEN` as well.',
  }),
  metricsToken: setting(z.string().min(16, { error: 'is shorter than 16 characters' }).optional(), {
    env: 'DOCENT_METRICS_TOKEN',
    description: 'The token that metrics collectors must send as `Authorization: Bearer …`.',
    defaultText: 'none: no token is required',
    isSecret: true,
  }),
  otlpEndpoint: setting(httpUrl.optional(), {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description:
      'The OpenTelemetry collector that receives traces, such as `http://localhost:4318`. Traces are sent to `/v1/traces` as OTLP over HTTP in JSON.',
    defaultText: 'none: nothing is traced',
  }),
  otlpTracesEndpoint: setting(httpUrl.optional(), {
    env: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    description: 'The full URL to which traces are posted. Overrides `OTEL_EXPORTER_OTLP_ENDPOINT`.',
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
      description: 'Headers for the collector, as comma-separated `name=value` pairs. Values are percent-encoded.',
      defaultText: 'none',
      isSecret: true,
    },
  ),
  otelServiceName: setting(z.string().min(1).max(255).default('docent'), {
    env: 'OTEL_SERVICE_NAME',
    description: 'The service name in traces. `OTEL_RESOURCE_ATTRIBUTES` adds further attributes.',
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
        "Which traces are kept. Samplers that begin with `parentbased_` follow the caller's decision if it sent a `traceparent`; choose another one if the service is public.",
    },
  ),
  tracesSamplerArg: setting(
    z.coerce
      .number({ error: 'is not a number' })
      .min(0, { error: 'is below 0' })
      .max(1, { error: 'is above 1' })
      .default(1),
    { env: 'OTEL_TRACES_SAMPLER_ARG', description: 'Share of traces kept by `traceidratio`, from 0 to 1.' },
  ),
  otelDisabled: setting(flag(false), {
    env: 'OTEL_SDK_DISABLED',
    description: 'Disables tracing, regardless of other settings. `true` or `false`.',
  }),
  traceContent: setting(flag(false), {
    env: 'DOCENT_TRACE_CONTENT',
    description:
      'Whether traces contain prompts and answers. Questions can contain personal data: enable only if you may collect it. `true` or `false`.',
  }),
  logLevel: setting(
    z
      .enum(['debug', 'info', 'warn', 'error', 'silent'], { error: 'is not one of debug, info, warn, error, silent' })
      .default('info'),
    {
      env: 'DOCENT_LOG_LEVEL',
      description: 'Minimum log level: `debug`, `info`, `warn`, `error` or `silent`.',
    },
  ),
}
