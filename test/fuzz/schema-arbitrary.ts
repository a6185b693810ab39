import fc from 'fast-check'
import { hostileText } from './hostile-values.ts'

/** What the OpenAPI document says of a value; only what its schemas use. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  pattern?: string
  format?: string
}

export type Schemas = Readonly<Record<string, JsonSchema>>

/** Values which a schema allows, small ones mostly. `schemas` are those that references name. */
export function arbitraryOf(schema: JsonSchema, schemas: Schemas, depth = 0): fc.Arbitrary<unknown> {
  const inner = (part: JsonSchema) => arbitraryOf(part, schemas, depth + 1)
  if (depth > 12) return fc.constant(null)
  if (schema.$ref !== undefined) return inner(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map(inner))
  if (schema.allOf !== undefined) return fc.tuple(...schema.allOf.map(inner)).map(mergeAll)
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => inner({ ...schema, type })))
  return arbitraryOfType(schema, inner)
}

type Inner = (part: JsonSchema) => fc.Arbitrary<unknown>

function arbitraryOfType(schema: JsonSchema, inner: Inner): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'object':
      return objectOf(schema, inner)
    case 'array': {
      const minLength = schema.minItems ?? 0
      const maxLength = Math.max(minLength, Math.min(schema.maxItems ?? 3, 3))
      return fc.array(inner(schema.items ?? {}), { minLength, maxLength })
    }
    case 'string':
      return textOf(schema)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case undefined:
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function objectOf({ properties = {}, required = [], additionalProperties }: JsonSchema, inner: Inner) {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part)]))
  const known = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) })
  if (typeof additionalProperties !== 'object') return known
  const more = fc.dictionary(fc.string({ maxLength: 12 }), inner(additionalProperties), { maxKeys: 3 })
  return fc.tuple(known, more).map(mergeAll)
}

function mergeAll(parts: readonly unknown[]): unknown {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part ?? {})))
}

function textOf({ pattern, format, minLength = 0, maxLength = 60 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'email') return fc.emailAddress()
  if (format === 'uri' || format === 'url') return addresses
  if (format === 'date-time') return dates.map((date) => date.toISOString())
  if (format === 'date') return dates.map((date) => date.toISOString().slice(0, 10))
  if (pattern !== undefined && !/\\[pP]\{|\(\?[<!=]/.test(pattern)) return fc.stringMatching(new RegExp(pattern))
  const bounds = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) }
  return fc.oneof(fc.string(bounds), fc.string({ ...bounds, unit: 'grapheme' }), hostileText)
}

/** Of hosts that no name server knows, so that nobody is called. */
const addresses = fc.tuple(fc.domain(), fc.webPath()).map(([host, path]) => `https://${host}.invalid${path}`)
const dates = fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })

function numberOf({ type, minimum, exclusiveMinimum, maximum = 10_000 }: JsonSchema): fc.Arbitrary<number> {
  const min = Math.ceil(minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1))
  const max = Math.max(min, Math.floor(maximum))
  return type === 'integer' ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true })
}
