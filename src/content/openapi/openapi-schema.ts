import { cutText } from '../trees/clean-text.ts'
import { inlineCode } from '../markdown/markdown-writing.ts'
import {
  type ApiObject,
  type OpenApiDocument,
  listOf,
  toObject,
  referenceName,
  resolveObject,
  textOf,
} from './openapi-document.ts'
import { decodeEntities, stripTags } from '../markdown/strip-tags.ts'

const depthMax = 6
const descriptionCharsMax = 2000
export const enumValuesMax = 50

/** Limits the output of one page, because schemas that refer to others can expand without end. */
export interface SchemaBudget {
  linesLeft: number
  /** Longer enumerations are written as a count. */
  enumValuesMax: number
}

export function createSchemaBudget(): SchemaBudget {
  return { linesLeft: 1500, enumValuesMax }
}

interface SchemaWalk {
  document: OpenApiDocument
  budget: SchemaBudget
  /** Schemas being written, outermost first. */
  open: readonly ApiObject[]
}

/**
 * Writes the fields of a schema as a nested list: name, type, whether required, bounds, description. Recursive schemas
 * are named instead of expanded again; beyond six levels only types are named.
 */
export function writeSchema(document: OpenApiDocument, schema: unknown, budget: SchemaBudget): string {
  return writeFields({ document, budget, open: [] }, schema, '').join('\n')
}

function writeFields(walk: SchemaWalk, value: unknown, indent: string): string[] {
  const schema = mergeAllOf(walk.document, value)
  if (walk.open.includes(schema.key) || walk.open.length >= depthMax) return []
  const inner = { ...walk, open: [...walk.open, schema.key] }
  const lines: string[] = []
  const required = new Set(listOf(schema.merged['required']))
  for (const [name, property] of Object.entries(toObject(schema.merged['properties']))) {
    if (walk.budget.linesLeft-- <= 0) return lines
    lines.push(`${indent}- ${describeField(walk, name, property, required.has(name))}`)
    lines.push(...writeFields(inner, property, `${indent}  `))
  }
  if (schema.merged['items'] !== undefined) lines.push(...writeFields(inner, schema.merged['items'], indent))
  const extra = schema.merged['additionalProperties']
  if (typeof extra === 'object' && extra !== null && Object.keys(extra).length > 0) {
    lines.push(
      `${indent}- any other key (${describeType(walk.document, extra)})`,
      ...writeFields(inner, extra, `${indent}  `),
    )
  }
  return [...lines, ...writeVariants(inner, schema.merged, indent)]
}

function writeVariants(walk: SchemaWalk, schema: ApiObject, indent: string): string[] {
  const variants = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])].filter((variant) => {
    return resolveObject(walk.document, variant)['type'] !== 'null'
  })
  const lines: string[] = []
  for (const variant of variants) {
    const resolved = resolveObject(walk.document, variant)
    const fields = writeFields(walk, variant, variants.length === 1 ? indent : `${indent}  `)
    if (variants.length > 1 && walk.budget.linesLeft-- > 0) {
      const name = textOf(resolved['title']) || referenceName(variant) || describeType(walk.document, variant)
      lines.push(`${indent}- one of: ${name}${describeText(resolved)}`)
    }
    lines.push(...fields)
  }
  return lines
}

/** Merges a schema with its `allOf` parts. `key` identifies the schema for cycle detection. */
export function mergeAllOf(
  document: OpenApiDocument,
  value: unknown,
  depth = 0,
): { key: ApiObject; merged: ApiObject } {
  const key = resolveObject(document, value)
  const parts = listOf(key['allOf'])
  if (parts.length === 0 || depth > depthMax) return { key, merged: key }
  const properties = new Map<string, unknown>()
  const required: unknown[] = []
  let merged: Record<string, unknown> = {}
  for (const part of [...parts.slice(0, 50).map((part) => mergeAllOf(document, part, depth + 1).merged), key]) {
    merged = { ...merged, ...part }
    for (const [name, property] of Object.entries(toObject(part['properties']))) properties.set(name, property)
    required.push(...listOf(part['required']).slice(0, 1000))
  }
  return { key, merged: { ...merged, properties: Object.fromEntries(properties), required } }
}

function describeField({ document, budget }: SchemaWalk, name: string, property: unknown, isRequired: boolean): string {
  const { merged } = mergeAllOf(document, property)
  const traits = [
    describeType(document, property),
    isRequired ? 'required' : '',
    merged['deprecated'] === true ? 'deprecated' : '',
    merged['readOnly'] === true ? 'read only' : '',
    merged['writeOnly'] === true ? 'write only' : '',
    ...describeBounds(merged, budget),
  ]
  return `${inlineCode(name)} (${traits.filter((trait) => trait !== '').join(', ')})${describeText(merged)}`
}

/** `string`, `array of object`, `integer or null`, `date-time string`. */
export function describeType(document: OpenApiDocument, value: unknown, depth = 0): string {
  const { merged } = mergeAllOf(document, value)
  const types = (Array.isArray(merged['type']) ? merged['type'] : [merged['type']]).filter(
    (type) => typeof type === 'string',
  )
  const isNullable = merged['nullable'] === true || types.includes('null')
  const named = types.filter((type) => type !== 'null')
  if (named.length === 0) named.push(guessType(document, merged, depth))
  const [first = 'any'] = named
  const isArray = first === 'array' && depth < depthMax
  const text = isArray ? `array of ${describeType(document, merged['items'], depth + 1)}` : named.join(' or ')
  const format = textOf(merged['format'])
  return `${format === '' ? '' : `${format} `}${text}${isNullable ? ' or null' : ''}`
}

function guessType(document: OpenApiDocument, schema: ApiObject, depth: number): string {
  if (schema['properties'] !== undefined || schema['additionalProperties'] !== undefined) return 'object'
  if (schema['items'] !== undefined) return 'array'
  const variants = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])]
  if (variants.length > 0 && depth < depthMax) {
    const types = new Set(variants.slice(0, 20).map((variant) => describeType(document, variant, depth + 1)))
    return [...types].join(' or ')
  }
  const first = listOf(schema['enum'])[0] ?? schema['const']
  return first === undefined || first === null ? 'any' : typeof first
}

const boundNames = new Map([
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['exclusiveMinimum', 'more than'],
  ['exclusiveMaximum', 'less than'],
  ['minLength', 'min length'],
  ['maxLength', 'max length'],
  ['minItems', 'min items'],
  ['maxItems', 'max items'],
  ['pattern', 'pattern'],
])

function describeBounds(schema: ApiObject, { enumValuesMax }: SchemaBudget): string[] {
  const bounds: string[] = []
  const values = listOf(schema['enum'])
  if (values.length > enumValuesMax) bounds.push(`one of ${values.length} values`)
  else if (values.length > 0) bounds.push(`one of ${values.map((value) => inlineCode(showValue(value))).join(', ')}`)
  if (schema['const'] !== undefined) bounds.push(`always ${inlineCode(showValue(schema['const']))}`)
  if (schema['default'] !== undefined) bounds.push(`default: ${inlineCode(showValue(schema['default']))}`)
  for (const [key, words] of boundNames) {
    const value = schema[key]
    if (typeof value === 'number' || typeof value === 'string') bounds.push(`${words} ${inlineCode(showValue(value))}`)
  }
  return bounds
}

function showValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return cutText(text.replace(/\s+/g, ' '), 200)
}

function describeText(schema: ApiObject): string {
  const text = cleanDescription(textOf(schema['description'])).replace(/\s+/g, ' ')
  return text === '' ? '' : `: ${text}`
}

/** Markdown of a description without tags and comments, truncated. */
export function cleanDescription(text: string): string {
  return decodeEntities(stripTags(cutText(text, descriptionCharsMax))).trim()
}
