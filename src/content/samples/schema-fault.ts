import { type ApiObject, listOf, type OpenApiDocument, toObject } from '../openapi/openapi-document.ts'
import { mergeAllOf } from '../openapi/openapi-schema.ts'
import { isRecord } from '../site-config/parse-tolerantly.ts'

/** A schema, and the document that its references point into. */
export interface SchemaSource {
  document: OpenApiDocument
  schema: ApiObject
}

export interface SchemaFault {
  name: string
  message: string
}

const depthMax = 8
const valuesMax = 200

/**
 * Finds a field that is missing or unknown, or a value of a type or enumeration that does not fit. Looks only at what
 * a schema says without alternatives; of a choice between several schemas nothing is reported.
 */
export function findSchemaFault({ document, schema }: SchemaSource, value: unknown, depth = 0): SchemaFault | null {
  const { merged } = mergeAllOf(document, schema)
  const isOpen = ['oneOf', 'anyOf', 'not', 'if', 'patternProperties', '$dynamicRef', 'discriminator'].some(
    (key) => merged[key] !== undefined,
  )
  if (isOpen || depth > depthMax) return null
  if (Array.isArray(value)) {
    const items = toObject(merged['items'])
    for (const item of value.slice(0, valuesMax)) {
      const fault = findSchemaFault({ document, schema: items }, item, depth + 1)
      if (fault !== null) return fault
    }
    return null
  }
  return isRecord(value) ? findFieldFault({ document, schema: merged }, value, depth) : null
}

function findFieldFault({ document, schema }: SchemaSource, value: ApiObject, depth: number): SchemaFault | null {
  const properties = toObject(schema['properties'])
  const names = Object.keys(properties)
  if (names.length === 0) return null
  const missing = listOf(schema['required']).find((name) => typeof name === 'string' && !Object.hasOwn(value, name))
  if (typeof missing === 'string') return { name: missing, message: `the field \`${missing}\` is required.` }
  for (const [name, field] of Object.entries(value)) {
    const isKnown = Object.hasOwn(properties, name) || name === '$schema'
    const isClosed = schema['additionalProperties'] === undefined || schema['additionalProperties'] === false
    if (!isKnown && isClosed) return { name, message: `there is no field \`${name}\`.` }
    const fault = isKnown ? checkField(document, { name, schema: properties[name], field }, depth) : null
    if (fault !== null) return fault
  }
  return null
}

function checkField(
  document: OpenApiDocument,
  { name, schema, field }: { name: string; schema: unknown; field: unknown },
  depth: number,
): SchemaFault | null {
  const { merged } = mergeAllOf(document, schema)
  const type = merged['type']
  const isChoice = merged['oneOf'] !== undefined || merged['anyOf'] !== undefined
  if (typeof type === 'string' && !isChoice && merged['nullable'] !== true && !isOfType(type, field)) {
    return { name, message: `the field \`${name}\` is of type ${type}.` }
  }
  const values = listOf(merged['enum'])
  if (values.length > 0 && typeof field === 'string' && !values.includes(field) && /^[\w.-]+$/.test(field)) {
    return { name, message: `the field \`${name}\` has no value \`${field}\`.` }
  }
  return findSchemaFault({ document, schema: toObject(schema) }, field, depth + 1)
}

/** Whether a value of a sample matches. A word in place of a number is a placeholder for it. */
function isOfType(type: string, value: unknown): boolean {
  if (type === 'object') return isRecord(value) || typeof value === 'string'
  if (type === 'array') return Array.isArray(value) || typeof value === 'string'
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'string') return typeof value === 'string' || value === null
  return type === 'integer' || type === 'number' ? typeof value === 'number' || /[A-Z_<{$]/.test(String(value)) : true
}
