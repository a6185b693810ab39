import { buildOpenApi } from '../../src/server/openapi.ts'

/** The address in the document that is kept with the sources; a running server names its own. */
const baseUrl = 'http://127.0.0.1:4000'

/** The OpenAPI document, made without a running server. */
export function buildApiDocument() {
  return buildOpenApi(baseUrl)
}
