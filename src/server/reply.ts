import type { z } from 'zod'
import type { AppContext } from './app-env.ts'

/** Sends JSON. Parsed by its schema on the way out, so that a field which the contract does not name cannot leave. */
export function reply<Schema extends z.ZodType, Status extends 200 | 201>(
  c: AppContext,
  schema: Schema,
  value: z.input<Schema>,
  status: Status,
) {
  return c.json(schema.parse(value) as z.output<Schema> & object, status) // Every reply of ours is an object or array.
}
