import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { describeError } from '../api/api-error.ts'
import { NextStep } from './next-step.tsx'
import type { FormState } from './use-form.ts'
import { say } from '../../words/say.ts'

export interface FormViewProps {
  form: Pick<FormState<unknown>, 'error' | 'isBusy' | 'submit'>
  /** Button text; null for read-only users. */
  action: ReactNode
  isDisabled?: boolean
  /** Given in dialogs, where the buttons come last. */
  onCancel?(): void
  /** Additional buttons on a page. */
  actions?: ReactNode
  children: ReactNode
}

/**
 * A form with its buttons. A refusal focuses the first invalid field; errors without a field appear above the button.
 */
export function FormView({ form, children, ...buttons }: FormViewProps) {
  const { error, isBusy, submit } = form
  const element = useRef<HTMLFormElement>(null)
  const [unplaced, setUnplaced] = useState<unknown>(null)
  useLayoutEffect(() => {
    const first = element.current?.querySelector<HTMLElement>('[aria-invalid]')
    if (error !== null && first != null) reveal(first)
    setUnplaced(first == null ? error : null)
  }, [error])
  return (
    <Form ref={element} isBusy={isBusy} onSubmit={submit}>
      {children}
      {error !== null && unplaced === error ? (
        <Notice tone="danger">
          {describeError(error)}
          <NextStep error={error} />
        </Notice>
      ) : null}
      {buttons.action === null ? null : <FormButtons isBusy={isBusy} {...buttons} />}
    </Form>
  )
}

/** Focuses a field, which may be among those that are folded away. */
function reveal(field: HTMLElement) {
  for (let at = field.closest('details'); at != null; at = at.parentElement?.closest('details') ?? null) at.open = true
  field.focus()
}

type FormButtonsProps = Omit<FormViewProps, 'form' | 'children'> & { isBusy: boolean }

function FormButtons({ action, isDisabled = false, isBusy, onCancel, actions }: FormButtonsProps) {
  const submit = (
    <Button type="submit" look="primary" isBusy={isBusy} disabled={isDisabled}>
      {action}
    </Button>
  )
  if (onCancel === undefined) {
    return (
      <FormActions>
        {submit}
        {actions}
      </FormActions>
    )
  }
  return (
    <DialogActions>
      <Button onClick={onCancel}>{say('Cancel')}</Button>
      {submit}
    </DialogActions>
  )
}
