import { z } from 'zod'
import { httpUrl, jsonObject, setting } from './setting-shapes.ts'
import { modelOptionsSchema } from './model-option-settings.ts'

/** Set by the request itself, or decided by the connection. */
const reservedHeaders: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'content-type',
  'connection',
  'transfer-encoding',
])

const headerName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, { error: 'is not the name of a header' })
  .refine((name) => !reservedHeaders.has(name.toLowerCase()), { error: 'is a header that cannot be set' })

const fields = {
  url: httpUrl,
  key: z.string().min(1).max(4_000).optional(),
  headers: z
    .record(headerName, z.string().regex(/^[\x20-\x7e]{1,4000}$/, { error: 'is not printable ASCII' }))
    .optional(),
  options: modelOptionsSchema.optional(),
}

const unknownField = `has an unknown field: use ${Object.keys(fields).join(', ')}`

const endpointSchema = z.strictObject(fields, {
  error: ({ code }) => (code === 'unrecognized_keys' ? unknownField : 'is not an object'),
})

/** A server that speaks OpenAI's chat completions, with all that is sent to it and to no other. */
export type ModelEndpoint = z.output<typeof endpointSchema>

const endpointsSchema = z.record(
  z.string().regex(/^[a-z0-9-]{1,40}$/, { error: 'is not a name of lower-case letters, digits and hyphens' }),
  endpointSchema,
)

export const endpointSettings = {
  endpoints: setting(
    jsonObject(endpointsSchema, '{"groq": {"url": "https://api.groq.com/openai/v1", "key": "…"}}').optional(),
    {
      env: 'DOCENT_ENDPOINTS',
      description:
        'Additional servers with an OpenAI-compatible API, as JSON by name: `{"groq": {"url": "https://api.groq.com/openai/v1", "key": "…", "headers": {…}, "options": {…}}}`. Their models are named `compat.groq/MODEL`. The key and headers are sent only to that address; `options` are those of `DOCENT_MODEL_OPTIONS`.',
      defaultText: 'none',
      isSecret: true,
    },
  ),
}
