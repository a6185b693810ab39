import { expect, it } from 'vitest'
import { type ApiSchema, type ApiSchemas, describeType, listFields, makeExample } from './schema-fields.ts'

const schemas: ApiSchemas = {
  Node: {
    type: 'object',
    properties: { name: { type: 'string' }, next: { $ref: '#/components/schemas/Node' } },
    required: ['name'],
  },
}

it.each<[ApiSchema, string]>([
  [{ type: 'string' }, 'string'],
  [{ type: ['integer', 'null'], minimum: 1, maximum: 50, default: 10 }, 'integer or null, 1 to 50, 10 without it'],
  [{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, 'integer, at least 0'],
  [{ type: 'string', maxLength: 2000 }, 'string, at most 2,000 characters'],
  [{ type: 'string', enum: ['a', 'b'] }, '"a" or "b"'],
  [{ type: 'array', items: { type: 'string' }, maxItems: 3 }, 'list of strings, at most 3 entries'],
  [{ type: 'array', items: { $ref: '#/components/schemas/Node' } }, 'list of objects'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null'],
  [{ type: 'string', format: 'date-time' }, 'time (ISO 8601)'],
  [{}, 'any value'],
])('describes %o as %s', (schema, words) => {
  expect(describeType(schema, schemas)).toBe(words)
})

it('lists nested fields after their parents, with what is required', () => {
  const schema: ApiSchema = {
    type: 'object',
    required: ['messages'],
    properties: {
      messages: {
        type: 'array',
        description: 'Oldest first.',
        items: { type: 'object', required: ['role'], properties: { role: { type: 'string' } } },
      },
    },
  }

  expect(listFields(schema, schemas)).toEqual([
    { name: 'messages', type: 'list of objects', isRequired: true, description: 'Oldest first.' },
    { name: 'messages[].role', type: 'string', isRequired: true, description: '' },
  ])
})

it('lists the fields of all variants once', () => {
  const schema: ApiSchema = {
    oneOf: [
      { type: 'object', properties: { kind: { type: 'string' }, a: { type: 'string' } } },
      { type: 'object', properties: { kind: { type: 'string' }, b: { type: 'string' } } },
    ],
  }

  expect(listFields(schema, schemas).map(({ name }) => name)).toEqual(['kind', 'a', 'b'])
})

it('ends on a schema that holds itself', () => {
  const names = listFields({ $ref: '#/components/schemas/Node' }, schemas).map(({ name }) => name)

  expect(names.slice(0, 4)).toEqual(['name', 'next', 'next.name', 'next.next'])
  expect(names.length).toBeLessThan(20)
})

it('makes an example of what is required', () => {
  expect(makeExample({ $ref: '#/components/schemas/Node' }, schemas)).toEqual({ name: '…' })
  expect(makeExample({ type: 'array', items: { type: 'integer', minimum: 5 } }, schemas)).toEqual([5])
})
