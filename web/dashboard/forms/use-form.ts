import { useState } from 'react'
import { describeFieldError } from '../api/api-error.ts'
import { type ChangeOptions, useChange } from './use-change.ts'

export interface FormOptions<Values, Result> extends Omit<
  ChangeOptions<Values, Result>,
  'send' | 'onDone' | 'hasFailureToast'
> {
  initial: Values | (() => Values)
  /** @param base What the form began with, to send only what differs. */
  send(values: Values, base: Values): Promise<Result>
  onDone?(result: Result): unknown
  /** What the form begins with after a change; without it, the values stay. */
  next?(result: Result): Values
}

export interface FieldBinding<Value> {
  value: Value
  onValueChange(value: Value): void
  error: string | null
}

/** The fields of a form as they are typed, and the change that sends them. */
export interface FormState<Values> {
  values: Values
  /** Whether something differs from what the form began with. */
  isDirty: boolean
  isBusy: boolean
  /** Why the service refused what was sent; null otherwise. */
  error: Error | null
  set(part: Partial<Values>): void
  /** Undoes what was typed. */
  reset(): void
  submit(): void
  /**
   * Binds a field; spread it into a component of `ui/`.
   *
   * @param subject Begins the sentence about what is wrong with the field, such as `The name`.
   * @param path Where the service reports the field, if not under its own name.
   */
  field<Name extends keyof Values & string>(name: Name, subject?: string, path?: string): FieldBinding<Values[Name]>
}

export function useForm<Values extends object, Result>(options: FormOptions<Values, Result>): FormState<Values> {
  const { initial, send, onDone, next, ...change } = options
  const [base, setBase] = useState(initial)
  const [values, setValues] = useState(base)
  const { error, isPending, mutate } = useChange({
    ...change,
    send: (values: Values) => send(values, base),
    onDone: (result) => {
      if (next !== undefined) {
        setBase(next(result))
        setValues(next(result))
      }
      return onDone?.(result)
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
      // The name is a key of the values, which a computed key does not show.
      onValueChange: (value) => set({ [name]: value } as unknown as Partial<Values>),
      error: subject === undefined ? null : describeFieldError(error, subject, path),
    }),
  }
}
