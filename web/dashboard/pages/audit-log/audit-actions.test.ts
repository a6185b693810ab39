import { expect, it } from 'vitest'
import { allOperations } from '../../../../src/contract/operations/all-operations.ts'
import { auditActions } from './audit-actions.ts'

it('names each action that the service records', () => {
  const recorded = Object.values(allOperations).flatMap((operation) => ('audit' in operation ? [operation.audit] : []))

  expect(recorded.filter((action) => !auditActions.includes(action))).toEqual([])
})
