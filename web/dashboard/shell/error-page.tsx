import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { NextStep } from '../forms/next-step.tsx'
import { ApiError, describeError, UnreachableError } from '../api/api-error.ts'
import { say, sayParts } from '../../words/say.ts'

/** Replaces a page that could not be shown. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    // A failed module import is not retried until the window reloads.
    if (error instanceof UnreachableError) {
      location.reload()
      return
    }
    reset()
    void router.invalidate()
  }
  return <ErrorState isPage error={error} onRetry={retry} />
}

interface ErrorStateProps {
  error: unknown
  onRetry(): void
  isPage?: boolean
}

/** Replaces content that could not be read. */
export function ErrorState({ error, onRetry, isPage = false }: ErrorStateProps) {
  return (
    <EmptyState
      isPage={isPage}
      icon={<CircleAlert aria-hidden />}
      title={say('Something went wrong')}
      action={<Button onClick={onRetry}>{say('Try again')}</Button>}
    >
      <p role="alert">
        {describeError(error)}
        <NextStep error={error} />
      </p>
      {error instanceof ApiError && error.requestId !== null && error.status >= 500 ? (
        <p>{sayParts('Request ID: {requestId}', { requestId: <code>{error.requestId}</code> })}</p>
      ) : null}
    </EmptyState>
  )
}
