/** What is read of a JSON schema as the OpenAPI document holds it. */
export interface ApiSchema {
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly (string | number | boolean | null)[]
  format?: string
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  properties?: Readonly<Record<string, ApiSchema>>
  required?: readonly string[]
  items?: ApiSchema
  anyOf?: readonly ApiSchema[]
}

export type ApiSchemas = Readonly<Record<string, ApiSchema>>

/** One field of a body, named from its root: `messages[].role`. */
export interface FieldDescription {
  name: string
  type: string
  isRequired: boolean
  description: string
}

/** Nested deeper, a table stops to help. */
const depthMax = 5

/** Every field of an object or of the objects of a list, in the order of the schema, each followed by its own fields. */
export function listFields(schema: ApiSchema, schemas: ApiSchemas, prefix = '', depth = 0): FieldDescription[] {
  const resolved = resolveSchema(schema, schemas)
  if (resolved.items !== undefined) return listFields(resolved.items, schemas, `${prefix}[]`, depth)
  if (depth === depthMax) return []
  return Object.entries(resolved.properties ?? {}).flatMap(([key, property]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`
    const isRequired = resolved.required?.includes(key) === true
    const { type, description } = describeValue(property, schemas)
    return [{ name, type, isRequired, description }, ...listFields(property, schemas, name, depth + 1)]
  })
}

/** A value in words: its type, and what it means with its bounds. */
export function describeValue(schema: ApiSchema, schemas: ApiSchemas): { type: string; description: string } {
  const resolved = resolveSchema(schema, schemas)
  const description = [schema.description ?? resolved.description ?? '', describeBounds(resolved)]
  return { type: describeType(resolved, schemas), description: description.filter((text) => text !== '').join(' ') }
}

/** @throws {Error} when the document does not hold what a reference names. */
function resolveSchema(schema: ApiSchema, schemas: ApiSchemas): ApiSchema {
  if (schema.$ref === undefined) return schema
  const name = schema.$ref.split('/').at(-1) ?? ''
  const found = schemas[name]
  if (found === undefined) throw new Error(`The OpenAPI document has no schema ${name}.`)
  return found
}

function describeType(schema: ApiSchema, schemas: ApiSchemas): string {
  const isNullable = Array.isArray(schema.type) && schema.type.includes('null')
  const names = [schema.type ?? []].flat().filter((name) => name !== 'null')
  const base = describeBase(schema, names.join(' or '), schemas)
  return isNullable ? `${base} or null` : base
}

function describeBase(schema: ApiSchema, name: string, schemas: ApiSchemas): string {
  const values = schema.enum?.filter((value) => value !== null)
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(', ')
  if (schema.items !== undefined) {
    const item = describeType(resolveSchema(schema.items, schemas), schemas)
    return item === 'object' ? 'array of objects' : `array of ${item}`
  }
  return schema.format === 'date-time' ? 'ISO 8601 time' : name || 'any value'
}

function describeBounds(schema: ApiSchema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  const bounds = [
    describeRange(minimum, maximum, ''),
    describeRange(minLength, maxLength, ' characters'),
    describeRange(minItems, maxItems, ' items'),
    schema.default === undefined ? '' : `Default: \`${JSON.stringify(schema.default)}\`.`,
  ]
  return bounds.filter((text) => text !== '').join(' ')
}

function describeRange(from: number | undefined, to: number | undefined, unit: string): string {
  const write = (count: number) => count.toLocaleString('en')
  if (from !== undefined && to !== undefined) return `${write(from)} to ${write(to)}${unit}.`
  if (from !== undefined) return `At least ${write(from)}${from === 1 ? unit.replace(/s$/, '') : unit}.`
  return to === undefined ? '' : `At most ${write(to)}${unit}.`
}
