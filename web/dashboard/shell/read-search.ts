const textCharsMax = 200

type Reader<Value> = (value: unknown) => Value | undefined

/** What a page reads out of its address: only what is given. */
export type SearchOf<Readers> = {
  -readonly [Name in keyof Readers]?: Readers[Name] extends Reader<infer Value> ? Value : never
}

/** Takes what a page knows out of an address; what it cannot mean is left out, so that addresses of other versions still open. */
export function readSearch<Readers extends Readonly<Record<string, Reader<unknown>>>>(
  query: Readonly<Record<string, unknown>>,
  readers: Readers,
): SearchOf<Readers> {
  const given = Object.entries(readers).flatMap(([name, read]) => {
    const value = read(query[name])
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(given) as SearchOf<Readers> // Each by its own reader.
}

/** Any text that is not empty, cut to what the service takes. */
export function text(charsMax: number = textCharsMax): Reader<string> {
  return (value) => readText(value)?.trim().slice(0, charsMax) || undefined
}

/** One of these words or numbers. */
export function oneOf<const Value extends string | number>(values: readonly Value[]): Reader<Value> {
  return (value) => values.find((each) => String(each) === readText(value))
}

/** The router reads a text of digits as a number. */
function readText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
