import { expect, it } from 'vitest'
import { z } from 'zod'
import { readErrorDetails } from './error-details.ts'

const schema = z.strictObject({
  name: z.string().min(1).max(3),
  kind: z.enum(['admin', 'assistant']),
  size: z.int().min(1).max(50),
  rate: z.number().positive(),
  tags: z.array(z.string()).max(1),
  value: z.union([z.string(), z.number()]),
  source: z.discriminatedUnion('kind', [z.object({ kind: z.literal('git') }), z.object({ kind: z.literal('url') })]),
  url: z.url(),
  isPublic: z.boolean(),
})
const valid = {
  name: 'a',
  kind: 'admin',
  size: 5,
  rate: 1,
  tags: [],
  value: 'a',
  source: { kind: 'git' },
  url: 'https://docs.example.com',
  isPublic: true,
}

it.each([
  ['name', undefined, 'is required'],
  ['name', '', 'must not be empty'],
  ['name', 'abcd', 'must have at most 3 characters'],
  ['name', 5, 'must be a string'],
  ['kind', 'owner', 'must be "admin" or "assistant"'],
  ['size', 1.5, 'must be a whole number'],
  ['size', 0, 'must be at least 1'],
  ['rate', 0, 'must be more than 0'],
  ['tags', ['a', 'b'], 'must have at most 1 entry'],
  ['value', true, 'must be a string or a number'],
  ['source.kind', { kind: 'svn' }, 'must be "git" or "url"'],
  ['url', 'docs', 'must be a URL such as https://docs.example.com'],
  ['isPublic', 'yes', 'must be true or false'],
])('says of %s: %j what to send', (path, value, message) => {
  const parsed = schema.safeParse({ ...valid, [path.replace('.kind', '')]: value })
  expect(readErrorDetails(parsed.error as z.ZodError)).toEqual([{ path, message }])
})

it('names the fields that nothing reads', () => {
  const parsed = schema.safeParse({ ...valid, nmae: 'a' })
  expect(readErrorDetails(parsed.error as z.ZodError)).toEqual([{ path: '', message: 'has unknown fields: nmae' }])
})
