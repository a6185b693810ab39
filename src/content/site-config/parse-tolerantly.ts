import type { z } from 'zod'

/**
 * Parses a handwritten object: a key with a wrong type is reported and dropped instead of rejecting the whole. Ignores
 * unknown keys.
 *
 * @param schema An object schema whose keys are all optional or have defaults.
 * @param report Called once per invalid key, with a sentence fragment such as `expected string`.
 */
export function parseTolerantly<Schema extends z.ZodObject>(
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  report: (key: string, problem: string) => void,
): z.output<Schema> {
  const known = new Map(Object.keys(schema.shape).map((key) => [key, value[key]]))
  // Null means "not set" in YAML (`description:`) and is common in JSON.
  for (const [key, field] of known) if (field === null || field === undefined) known.delete(key)
  const first = schema.safeParse(Object.fromEntries(known))
  if (first.success) return first.data
  for (const issue of first.error.issues) {
    const key = String(issue.path[0])
    if (known.delete(key)) report(key, issue.message)
  }
  return schema.parse(Object.fromEntries(known))
}

/** Whether a value from JSON or YAML is an object with keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
