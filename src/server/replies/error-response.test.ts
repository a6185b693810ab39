import { expect, it } from 'vitest'
import { AppError } from '../../contract/app-error.ts'
import { toErrorReply } from './error-response.ts'

it('returns an AppError unchanged, with its details on status 400 only', () => {
  const details = [{ path: 'fp', message: 'fp is missing.' }]

  const bad = toErrorReply(new AppError('invalid_request', 'Send fp.', { details }), 'req_1')
  const gone = toErrorReply(new AppError('not_found', 'It is gone.', { details }), 'req_1')

  expect(bad).toEqual({
    status: 400,
    headers: {},
    body: { error: 'Send fp.', message: 'Send fp.', code: 'invalid_request', requestId: 'req_1', details },
  })
  expect(gone.body).not.toHaveProperty('details')
})

it('reveals nothing about a bug except its request id', () => {
  const reply = toErrorReply(new Error('password=hunter2 at /srv/app.ts'), 'req_2')

  expect(reply.status).toBe(500)
  expect(JSON.stringify(reply)).not.toMatch(/hunter2|srv/)
  expect(reply.body.requestId).toBe('req_2')
})

it('treats a lost database connection as temporary', () => {
  const reply = toErrorReply(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'req_3')

  expect(reply).toMatchObject({ status: 503, headers: { 'Retry-After': '5' }, body: { code: 'database_unavailable' } })
})

it('rejects text that the database cannot store', () => {
  const fault = Object.assign(new Error('invalid byte sequence for encoding "UTF8": 0x00'), { code: '22021' })

  expect(toErrorReply(fault, 'req_4')).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
})
