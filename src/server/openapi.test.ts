import { expect, it } from 'vitest'
import { buildOpenApi } from './openapi.ts'

interface DescribedOperation {
  operationId: string
  security?: unknown
  tags: string[]
  responses: Record<string, unknown>
}

const document = buildOpenApi('http://127.0.0.1:4000')
const operations = Object.values(document.paths ?? {}).flatMap(
  (methods) => Object.values(methods as object) as DescribedOperation[], // Made from definitions that have all of these.
)

it('gives each operation an id and its security, and uses only described tags', () => {
  const tags = document.tags?.map(({ name }) => name) ?? []

  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  expect(operations.filter(({ security }) => security === undefined)).toEqual([])
  expect(operations.flatMap((operation) => operation.tags).filter((tag) => !tags.includes(tag))).toEqual([])
})

it('lists the errors of each operation, except those that have none', () => {
  const trusting = operations.filter(
    ({ responses }) => !Object.keys(responses).some((status) => status.startsWith('4')),
  )

  expect(trusting.map(({ operationId }) => operationId)).toEqual([
    'getReceiptKey',
    'getSession',
    'checkLiveness',
    'checkReadiness',
  ])
})
