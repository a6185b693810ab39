/**
 * Reads a JSON column that this room wrote itself, so that its shape is known and only damage has to be noticed.
 *
 * @throws {Error} naming the column when the text is not JSON of that outer shape.
 */
function parseColumn(column: string, text: string, isExpected: (value: unknown) => boolean): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Error(`The column ${column} holds no JSON. Restore the database from a backup.`, { cause })
  }
  if (!isExpected(value)) {
    throw new Error(
      `The column ${column} holds JSON of another shape than was written. Restore the database from a backup.`,
    )
  }
  return value
}

export function parseStrings(column: string, text: string): string[] {
  // `isStrings` has checked every item.
  return parseColumn(column, text, isStrings) as string[]
}

/** @typeParam Item What this room writes into the column; items are not checked again. */
export function parseItems<Item>(column: string, text: string): Item[] {
  // The only writer of the column is this room, with the same type.
  return parseColumn(column, text, Array.isArray) as Item[]
}

/** @typeParam Value What this room writes into the column; fields are not checked again. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it is what spares every caller a cast
export function parseObject<Value extends object>(column: string, text: string): Value {
  // The only writer of the column is this room, with the same type.
  return parseColumn(column, text, isObject) as Value
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
