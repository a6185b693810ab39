import { useState } from 'react'
import { describeFieldError } from '../api/api-error.ts'
import { type ChangeOptions, useChange } from './use-change.ts'

export interface FormOptions<Values, Result> extends Omit<
  ChangeOptions<Values, Result>,
  'send' | 'onDone' | 'undo' | 'hasFailureToast'
> {
  initial: Values | (() => Values)
  /** @param base Initial values, to send only what differs. */
  send(values: Values, base: Values): Promise<Result>
  onDone?(result: Result): unknown
  /** See `ChangeOptions`. @param base Values before the change. */
  undo?(result: Result, values: Values, base: Values): (() => Promise<Result>) | null
  /** New initial values after success; otherwise the values stay. */
  next?(result: Result): Values
}

export interface FieldBinding<Value> {
  value: Value
  onValueChange(value: Value): void
  error: string | null
}

/** State of a form's fields, and the mutation that submits them. */
export interface FormState<Values> {
  values: Values
  /** Whether the values differ from the initial ones. */
  isDirty: boolean
  isBusy: boolean
  /** Why the service refused, or null. */
  error: Error | null
  set(part: Partial<Values>): void
  /** Reverts to the initial values. */
  reset(): void
  submit(): void
  /**
   * Binds a field; spread the result into a component of `ui/`.
   *
   * @param subject Subject of the error sentence, such as `The name`.
   * @param path Path that the service reports the field under, if not its own name.
   */
  field<Name extends keyof Values & string>(name: Name, subject?: string, path?: string): FieldBinding<Values[Name]>
}

export function useForm<Values extends object, Result>(options: FormOptions<Values, Result>): FormState<Values> {
  const { initial, send, onDone, next, undo, ...change } = options
  const [base, setBase] = useState(initial)
  const [values, setValues] = useState(base)
  const restart = (result: Result) => {
    if (next === undefined) return
    setBase(next(result))
    setValues(next(result))
  }
  const { error, isPending, mutate } = useChange({
    ...change,
    send: (values: Values) => send(values, base),
    onDone: (result) => {
      restart(result)
      return onDone?.(result)
    },
    undo: (result, values) => {
      const inverse = undo?.(result, values, base) ?? null
      return inverse && (async () => restart(await inverse()))
    },
  })
  const set = (part: Partial<Values>) => setValues((values) => ({ ...values, ...part }))
  return {
    values,
    isDirty: JSON.stringify(values) !== JSON.stringify(base),
    isBusy: isPending,
    error,
    set,
    reset: () => setValues(base),
    submit: () => mutate(values),
    field: (name, subject, path = name) => ({
      value: values[name],
      // TypeScript widens computed keys, so the cast restores the name.
      onValueChange: (value) => set({ [name]: value } as unknown as Partial<Values>),
      error: subject === undefined ? null : describeFieldError(error, subject, path),
    }),
  }
}
