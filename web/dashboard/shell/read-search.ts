const textCharsMax = 200

type Reader<Value> = (value: unknown) => Value | undefined

/** Parsed search parameters: only those given. */
export type SearchOf<Readers> = {
  -readonly [Name in keyof Readers]?: Readers[Name] extends Reader<infer Value> ? Value : never
}

/** Reads known search parameters. Drops invalid ones, so that addresses from other versions still work. */
export function readSearch<Readers extends Readonly<Record<string, Reader<unknown>>>>(
  query: Readonly<Record<string, unknown>>,
  readers: Readers,
): SearchOf<Readers> {
  const given = Object.entries(readers).flatMap(([name, read]) => {
    const value = read(query[name])
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(given) as SearchOf<Readers> // Each value comes from its own reader.
}

/** Any non-empty text, truncated to the service's limit. */
export function text(charsMax: number = textCharsMax): Reader<string> {
  return (value) => readText(value)?.trim().slice(0, charsMax) || undefined
}

/** A time as the service writes it. */
export function time(): Reader<string> {
  return (value) =>
    typeof value === 'string' && /^\d{4}-[\dT:.-]+Z$/.test(value) && Date.parse(value) ? value : undefined
}

/** One of the given strings or numbers. */
export function oneOf<const Value extends string | number>(values: readonly Value[]): Reader<Value> {
  return (value) => values.find((each) => String(each) === readText(value))
}

/** The router parses digits as a number. */
function readText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
