import { createServer } from '../../src/server/create-server.ts'
import { buildOpenApi } from '../../src/server/openapi.ts'
import type { ServerParts } from '../../src/server/server-parts.ts'

/** The address in the document that is kept with the sources; a running server names its own. */
const baseUrl = 'http://127.0.0.1:4000'

/** The OpenAPI document, made without a running server: handlers use their parts only when they are called. */
export function buildApiDocument() {
  const parts = { store: {}, baseUrl } as unknown as ServerParts // No handler is called here.
  return buildOpenApi(createServer(parts), baseUrl)
}
