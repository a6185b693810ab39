/** A JSON Schema as our OpenAPI document holds it, as far as the reference tells of it. */
export interface ApiSchema {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  enum?: readonly (string | number | boolean | null)[]
  format?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  properties?: Readonly<Record<string, ApiSchema>>
  required?: readonly string[]
  items?: ApiSchema
  additionalProperties?: ApiSchema | boolean
  anyOf?: readonly ApiSchema[]
  oneOf?: readonly ApiSchema[]
  allOf?: readonly ApiSchema[]
}

export type ApiSchemas = Readonly<Record<string, ApiSchema>>

export interface SchemaField {
  /** Where it stands: `messages[].role`. */
  name: string
  /** For people: `integer or null, 1 to 50`. */
  type: string
  isRequired: boolean
  description: string
}

/** Deeper fields are named by their parents only, which also ends schemas that hold themselves. */
const depthMax = 5

/** Every field of a body, parents before their children. A bare value or list of values has none of its own. */
export function listFields(schema: ApiSchema, schemas: ApiSchemas): SchemaField[] {
  return listWithin(schema, schemas, '', 0)
}

function listWithin(schema: ApiSchema, schemas: ApiSchemas, prefix: string, depth: number): SchemaField[] {
  if (depth >= depthMax) return []
  const resolved = resolveSchema(schema, schemas)
  if (resolved.items) return listWithin(resolved.items, schemas, `${prefix}[]`, depth)
  const variants = [resolved.anyOf, resolved.oneOf, resolved.allOf].flatMap((list) => list ?? [])
  const inherited = variants.flatMap((variant) => listWithin(variant, schemas, prefix, depth + 1))
  const own = Object.entries(resolved.properties ?? {}).flatMap(([name, property]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    const { description = '' } = { ...resolveSchema(property, schemas), ...property }
    const isRequired = resolved.required?.includes(name) ?? false
    const field = { name: path, type: describeType(property, schemas), isRequired, description }
    return [field, ...listWithin(property, schemas, path, depth + 1)]
  })
  return keepFirst([...own, ...inherited])
}

/** Variants of a body share most of their fields. */
function keepFirst(fields: readonly SchemaField[]): SchemaField[] {
  return [...Map.groupBy(fields, ({ name }) => name).values()].flatMap((same) => same.slice(0, 1))
}

/** What a value is, with its bounds, in words. */
export function describeType(schema: ApiSchema, schemas: ApiSchemas): string {
  const resolved = resolveSchema(schema, schemas)
  const bounds = describeBounds(resolved)
  const given = resolved.default === undefined ? '' : `, ${JSON.stringify(resolved.default)} without it`
  return `${nameType(resolved, schemas)}${bounds === '' ? '' : `, ${bounds}`}${given}`
}

function nameType(schema: ApiSchema, schemas: ApiSchemas): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return [...new Set(variants.map((variant) => describeType(variant, schemas)))].join(' or ')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  const names = types.map((type) => {
    if (type === 'array')
      return schema.items ? `list of ${pluralize(nameType(resolveSchema(schema.items, schemas), schemas))}` : 'list'
    return type === 'string' && schema.format ? describeFormat(schema.format) : type
  })
  return names.join(' or ') || 'any value'
}

const formats: Readonly<Record<string, string>> = { 'date-time': 'time (ISO 8601)', uri: 'address' }

function describeFormat(format: string): string {
  return formats[format] ?? `string (${format})`
}

function pluralize(name: string): string {
  return /^[a-z]+$/.test(name) ? `${name}s` : name
}

function describeBounds(schema: ApiSchema): string {
  return (
    describeRange(schema.minimum, schema.maximum, '') ||
    describeRange(schema.minLength, schema.maxLength, ' characters') ||
    describeRange(schema.minItems, schema.maxItems, ' entries')
  )
}

/** The greatest safe integer is what generators write for "no bound". */
function describeRange(least: number | undefined, most: number | undefined, unit: string): string {
  const isOpen = most === undefined || most >= Number.MAX_SAFE_INTEGER
  const hasStart = least !== undefined && least > -Number.MAX_SAFE_INTEGER
  if (isOpen) return hasStart ? `at least ${formatNumber(least)}${unit}` : ''
  if (hasStart) return `${formatNumber(least)} to ${formatNumber(most)}${unit}`
  return `at most ${formatNumber(most)}${unit}`
}

const formatNumber = (value: number) => value.toLocaleString('en')

/** The least that is accepted, for an example: required fields only. */
export function makeExample(schema: ApiSchema, schemas: ApiSchemas, depth = 0): unknown {
  const resolved = resolveSchema(schema, schemas)
  if (resolved.enum) return resolved.enum[0]
  const [variant] = resolved.anyOf ?? resolved.oneOf ?? []
  if (variant && depth < depthMax) return makeExample(variant, schemas, depth + 1)
  const type = typeof resolved.type === 'string' ? resolved.type : resolved.type?.[0]
  if (type === 'object') return makeObject(resolved, schemas, depth)
  if (type === 'array')
    return resolved.items && depth < depthMax ? [makeExample(resolved.items, schemas, depth + 1)] : []
  if (type === 'integer' || type === 'number') return resolved.minimum ?? 1
  return type === 'boolean' ? true : '…'
}

function makeObject(schema: ApiSchema, schemas: ApiSchemas, depth: number): Record<string, unknown> {
  if (depth >= depthMax) return {}
  const { properties = {}, required = [] } = schema
  return Object.fromEntries(
    required.map((name) => [name, makeExample(properties[name] ?? {}, schemas, depth + 1)] as const),
  )
}

/** References lead to the shared schemas of the same document. */
function resolveSchema(schema: ApiSchema, schemas: ApiSchemas): ApiSchema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? schema : (schemas[name] ?? {})
}
