import { expect, it } from 'vitest'
import { z } from 'zod'
import { printType } from './print-type.ts'

const print = (schema: z.ZodType) => printType(z.toJSONSchema(schema))

it.each([
  [z.string().nullable(), 'string | null'],
  [z.enum(['a', "it's", 'say "x"']), `'a' | 'it\\'s' | 'say "x"'`],
  [z.tuple([z.int(), z.boolean()]), '[number, boolean]'],
  [z.array(z.literal(1)), 'Array<1>'],
  [z.record(z.string(), z.number()), 'Record<string, number>'],
  [z.unknown(), 'unknown'],
])('writes a schema as its type: %#', (schema, type) => {
  expect(print(schema)).toBe(type)
})

it('writes descriptions as comments that end where they should, and says what may be missing', () => {
  const schema = z.object({ 'data-x': z.string().meta({ description: 'A path such as */x.' }), y: z.null().optional() })

  expect(print(schema)).toBe(`{
  /** A path such as *\\/x. */
  'data-x': string
  y?: null | undefined
}`)
})

it('refuses a schema that it has no type for', () => {
  expect(() => printType({ allOf: [{ type: 'string' }] })).toThrow('There is no type for the schema')
})
