import { buildOpenApi } from '../../src/server/openapi.ts'
import { type ApiSchema, type ApiSchemas } from './describe-schema.ts'

/** The address in the document that is kept with the sources; a running server names its own. */
const baseUrl = 'http://127.0.0.1:4000'

interface ApiContent {
  schema?: ApiSchema
}

/** One method of one path, as far as the reference tells of it. */
export interface ApiOperation {
  tags?: readonly string[]
  summary?: string
  description?: string
  deprecated?: boolean
  security?: readonly Readonly<Record<string, readonly string[]>>[]
  parameters?: readonly { name: string; in: string; required?: boolean; description?: string; schema: ApiSchema }[]
  requestBody?: { content: Readonly<Record<string, ApiContent>> }
  responses: Readonly<Record<string, { description: string; content?: Readonly<Record<string, ApiContent>> }>>
}

export interface ApiDocument {
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  components: { schemas: ApiSchemas }
}

/**
 * The OpenAPI document, made from the routes without a server: handlers use their parts when they are called, and here
 * none is.
 */
export function buildApiDocument(): ApiDocument {
  // The generator's types are wider than what our own routes put into the document.
  return buildOpenApi(baseUrl) as unknown as ApiDocument
}
