import { expect, it } from 'vitest'
import { z } from 'zod'
import { coerceInput } from './coerce-input.ts'

const schema = z.strictObject({
  path: z.string(),
  from: z.number().int().optional(),
  ignoreCase: z.boolean().default(false),
  edits: z.array(z.strictObject({ find: z.string(), all: z.boolean().optional() })).optional(),
  paths: z.array(z.string()).optional(),
})

it.each([
  [
    { path: 'a', from: '10' },
    { path: 'a', from: 10 },
  ],
  [{ file_path: 'a', from: null }, { path: 'a' }],
  [
    { path: 'a', ignore_case: 'true' },
    { path: 'a', ignoreCase: true },
  ],
  [
    { path: 'a', edits: '[{"old_string":"x","all":"false"}]' },
    { path: 'a', edits: [{ find: 'x', all: false }] },
  ],
  [
    { path: 'a', edits: { find: 'x' } },
    { path: 'a', edits: [{ find: 'x' }] },
  ],
  [
    { path: 'a', paths: '["b","c"]' },
    { path: 'a', paths: ['b', 'c'] },
  ],
  [
    { path: 'a', paths: 'b' },
    { path: 'a', paths: ['b'] },
  ],
  [{ path: 5, explanation: 'To see it.' }, { path: '5' }],
  [{ path: 'a', file: 'b' }, { path: 'a' }],
])('takes %j as a model writes it', (given, taken) => {
  expect(coerceInput(schema, given)).toEqual(taken)
})

it.each([
  { path: 'a', from: 'ten' },
  { path: 'a', wrong: 1 },
  { path: null },
  { path: 'a', ignoreCase: 'maybe' },
  { path: 'a', edits: '[{' },
])('leaves %j to the schema, which refuses it', (given) => {
  expect(schema.safeParse(coerceInput(schema, given)).success).toBe(false)
})
