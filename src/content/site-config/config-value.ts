/**
 * A value of a configuration file that is code, as far as literals determine it. Objects have no prototype. Undefined
 * means undefined in the code itself.
 */
export type ConfigValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | ComputedValue
  | ConfigValue[]
  | { [key: string]: ConfigValue }

/** A value that only running the code could determine. */
export class ComputedValue {
  readonly file: string
  readonly line: number
  /** Name and arguments of the call that computes it; empty for anything but a call. */
  readonly callee: string
  readonly inputs: readonly ConfigValue[]

  constructor(
    place: { file: string; line: number },
    call: { callee: string; inputs: readonly ConfigValue[] } = { callee: '', inputs: [] },
  ) {
    this.file = place.file
    this.line = place.line
    this.callee = call.callee
    this.inputs = call.inputs
  }
}

export function isConfigObject(value: ConfigValue): value is { [key: string]: ConfigValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ComputedValue)
}

/** Unwraps a call such as `defineConfig` that returns its argument unchanged; returns other values as they are. */
export function unwrapCall(value: ConfigValue): ConfigValue {
  let inner = value
  for (let depth = 0; depth < 10 && inner instanceof ComputedValue; depth++) {
    const object = inner.inputs.find((input) => isConfigObject(input) || input instanceof ComputedValue)
    if (object === undefined) return inner
    inner = object
  }
  return inner
}
