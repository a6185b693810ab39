import type { z } from 'zod'

type Schema = z.core.JSONSchema.JSONSchema
type Child = z.core.JSONSchema._JSONSchema

/**
 * Writes a JSON Schema as a TypeScript type, descriptions as comments. Unknown properties of objects are left out: they
 * are accepted on the wire, and no name of them is promised.
 *
 * @throws {Error} if it uses a keyword that has no counterpart here.
 */
export function printType(schema: Child, indent = ''): string {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never'
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return printValue(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => printValue(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map((choice) => printType(choice, indent)).join(' | ')
  const names: string[] = [schema.type ?? 'unknown'].flat()
  return names.map((name) => printNamed(name, schema, indent)).join(' | ')
}

function printNamed(name: string, schema: Schema, indent: string): string {
  switch (name) {
    case 'string':
    case 'boolean':
    case 'null':
      return name
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return printArray(schema, indent)
    case 'object':
      return printObject(schema, indent)
    default:
      if (Object.keys(schema).every((key) => key === 'description' || key === '$schema')) return 'unknown'
      throw new Error(`There is no type for the schema ${JSON.stringify(schema)}.`)
  }
}

/** JSON is TypeScript, except for the quotation marks of this code base. */
function printValue(value: unknown): string {
  const json = JSON.stringify(value)
  return typeof value === 'string' ? `'${json.slice(1, -1).replace(/'/g, "\\'").replace(/\\"/g, '"')}'` : json
}

function printArray({ items, prefixItems }: Schema, indent: string): string {
  if (prefixItems !== undefined) return `[${prefixItems.map((item) => printType(item, indent)).join(', ')}]`
  if (Array.isArray(items)) throw new Error('Tuples are written as prefixItems.')
  return `Array<${printType(items ?? true, indent)}>`
}

function printObject({ properties, required, additionalProperties }: Schema, indent: string): string {
  const entries = Object.entries(properties ?? {})
  if (entries.length === 0) return `Record<string, ${printType(additionalProperties ?? true, indent)}>`
  const inner = `${indent}  `
  const lines = entries.map(([name, property]) => {
    const type = printType(property, inner)
    const field = required?.includes(name) ? `: ${type}` : `?: ${type} | undefined`
    return `${printComment(property, inner)}${inner}${printName(name)}${field}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

function printName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : printValue(name)
}

/** The description as a doc comment with its line break, or nothing. */
export function printComment(schema: Child, indent = ''): string {
  const text = typeof schema === 'boolean' ? undefined : schema.description
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`
}
