import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const valueSchema = z
  .object({ stringValue: z.string(), intValue: z.number(), boolValue: z.boolean() })
  .partial()
  .loose()
  .transform(({ stringValue, intValue, boolValue, ...rest }) => stringValue ?? intValue ?? boolValue ?? rest)

const attributesSchema = z
  .array(z.object({ key: z.string(), value: valueSchema }))
  .transform((attributes): Record<string, unknown> =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, value])),
  )

const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: attributesSchema,
  status: z.object({ code: z.number().optional() }),
})

const tracesSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
})

export type CollectedSpan = z.output<typeof spanSchema>

export interface TraceCollector {
  /** As `OTEL_EXPORTER_OTLP_ENDPOINT` takes it. */
  url: string
  readonly spans: CollectedSpan[]
  readonly resources: Record<string, unknown>[]
  /** Everything that came, as it came. */
  readonly bodies: string[]
  readonly authorizations: (string | undefined)[]
  close(): Promise<void>
}

/** A collector of OpenTelemetry on this machine, which understands OTLP in JSON. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const collected: Omit<TraceCollector, 'url' | 'close'> = { spans: [], resources: [], bodies: [], authorizations: [] }
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      const isTraces = request.url === '/v1/traces' && request.method === 'POST'
      response.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
      if (!isTraces) return
      collected.bodies.push(text)
      collected.authorizations.push(request.headers.authorization)
      for (const { resource, scopeSpans } of tracesSchema.parse(JSON.parse(text)).resourceSpans) {
        collected.resources.push(resource.attributes)
        collected.spans.push(...scopeSpans.flatMap(({ spans }) => spans))
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    ...collected,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // It listens on a port, not on a pipe.
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
