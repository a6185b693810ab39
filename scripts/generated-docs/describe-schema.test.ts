import { expect, it } from 'vitest'
import { type ApiSchema, describeValue, listFields } from './describe-schema.ts'

it('lists the fields of nested objects and lists by their place, each before its own fields', () => {
  const schema: ApiSchema = {
    type: 'object',
    required: ['messages'],
    properties: {
      messages: {
        type: 'array',
        items: { type: 'object', required: ['role'], properties: { role: { type: 'string', enum: ['user'] } } },
      },
      source: { $ref: '#/components/schemas/Source' },
    },
  }
  const source: ApiSchema = { type: ['object', 'null'], properties: { ref: { type: 'string' } } }

  const fields = listFields(schema, { Source: source })

  expect(fields.map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
    ['messages', 'array of objects', true],
    ['messages[].role', '`user`', true],
    ['source', 'object or null', false],
    ['source.ref', 'string', false],
  ])
})

it('says the bounds and the default of a value after its meaning', () => {
  const limit: ApiSchema = { type: 'integer', minimum: 1, maximum: 2000, default: 50, description: 'Most items.' }

  expect(describeValue(limit, {})).toEqual({ type: 'integer', description: 'Most items. 1 to 2,000. Default: `50`.' })
})

it('ends at a schema that refers to itself', () => {
  const tree: ApiSchema = { type: 'object', properties: { child: { $ref: '#/components/schemas/Tree' } } }

  expect(listFields(tree, { Tree: tree })).toHaveLength(5)
})

it('refuses a reference to a schema that is not there', () => {
  expect(() => listFields({ $ref: '#/components/schemas/Gone' }, {})).toThrow('no schema Gone')
})
