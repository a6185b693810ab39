import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ErrorCode } from '../../../src/contract/error-codes.ts'
import { ApiError } from '../api/api-error.ts'
import { sessionQuery } from '../api/session.ts'
import { say } from '../../words/say.ts'

interface Step {
  action: string
  to: '/$organization/settings' | '/$organization/operations' | '/$organization/members'
  search?: { view: 'code-hosts' }
}

/** Where a refusal can be settled, if that is another page than the one it is shown on. */
const steps: Partial<Record<ErrorCode, Step>> = {
  model_required: { action: say('Choose a model'), to: '/$organization/settings' },
  limit_reached: { action: say('See the limits'), to: '/$organization/operations' },
  role_forbidden: { action: say('View owners'), to: '/$organization/members' },
  code_host_refused: {
    action: say('View code hosts'),
    to: '/$organization/settings',
    search: { view: 'code-hosts' },
  },
  code_host_unavailable: { action: say('See operations'), to: '/$organization/operations' },
  database_unavailable: { action: say('See operations'), to: '/$organization/operations' },
}

/** The way from an error to where it is settled. Empty if that is here. */
export function NextStep({ error }: { error: unknown }) {
  // An error of the session itself leaves no way on.
  const organization = useQuery(sessionQuery).data?.organization
  const step = error instanceof ApiError ? steps[error.code as ErrorCode] : undefined // Unknown codes have none.
  if (step === undefined || organization === undefined) return null
  return (
    <>
      {' '}
      <Link to={step.to} params={{ organization: organization.id }} search={(step.search ?? {}) as never}>
        {step.action}
      </Link>
    </>
  )
}
