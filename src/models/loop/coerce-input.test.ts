import { expect, it } from 'vitest'
import { z } from 'zod'
import { coerceInput } from './coerce-input.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

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

const tools = z.strictObject({
  action: z.enum(['show', 'add']).optional(),
  under: z.string().optional(),
  glob: z.string().optional(),
  from: z.number().optional(),
  to: z.number().optional(),
  filesOnly: z.boolean().optional(),
  ignoreCase: z.boolean().optional(),
  context: z.number().optional(),
  apply: z.boolean().optional(),
  items: z.array(z.object({ text: z.string(), state: z.enum(['open', 'doing']).default('open') })).optional(),
})

it.each([
  [{ path: 'guides' }, { under: 'guides' }],
  [{ lines: '10-20' }, { from: 10, to: 20 }],
  [{ line_range: 'L10–L20' }, { from: 10, to: 20 }],
  [{ view_range: [10, 20] }, { from: 10, to: 20 }],
  [{ view_range: '[10, 20]' }, { from: 10, to: 20 }],
  [{ lines: 7 }, { from: 7, to: 7 }],
  [
    { offset: '10', limit: '5' },
    { from: 10, to: 14 },
  ],
  [{ limit: 5 }, { to: 5 }],
  [
    { '-i': true, '-n': true, '-C': 2, output_mode: 'files_with_matches', head_limit: 9 },
    { ignoreCase: true, context: 2, filesOnly: true },
  ],
  [{ case_sensitive: 'true' }, { ignoreCase: false }],
  [{ dry_run: true }, { apply: false }],
  [{ action: 'List' }, { action: 'show' }],
  [{ items: ['One'] }, { items: [{ text: 'One' }] }],
  [{ todos: [{ content: 'One', status: 'in_progress' }] }, { items: [{ text: 'One', state: 'doing' }] }],
  [{ arguments: '{"glob":"*.md"}' }, { glob: '*.md' }],
])('takes %j as models know it from other tools', (given, taken) => {
  expect(coerceInput(tools, given as Parameters<typeof coerceInput>[1])).toEqual(taken)
})

it('takes lines behind a path', () => {
  const read = z.strictObject({ path: z.string(), from: z.number().optional(), to: z.number().optional() })

  expect(coerceInput(read, { path: 'a/b.md:3-6' })).toEqual({ path: 'a/b.md', from: 3, to: 6 })
  expect(coerceInput(read, { path: 'a/b.md#L3' })).toEqual({ path: 'a/b.md', from: 3, to: 3 })
})

it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('takes no fields from %s', (name) => {
  const given = JSON.parse(`{"path":"a","${name}":{"from":3}}`) as Parameters<typeof coerceInput>[1]

  const parsed = schema.safeParse(coerceInput(schema, given))

  expect(parsed.data ?? {}).not.toHaveProperty('from', 3)
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

it('reads a range of any length at once', () => {
  const started = threadCpuMs()

  coerceInput(tools, { lines: `${'\t'.repeat(200_000)}0${'\t'.repeat(200_000)}L` })

  expect(threadCpuMs() - started).toBeLessThan(1_000)
})
