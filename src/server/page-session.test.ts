import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { AppError } from '../contract/app-error.ts'
import type { AppEnv } from './app-env.ts'
import { BodyPlaces } from './body-places.ts'
import { readForm } from './page-session.ts'

const app = new OpenAPIHono<AppEnv>()
app.use((c, next) => {
  c.set('clientAddress', '192.0.2.1')
  return next()
})
const bodyPlaces = new BodyPlaces(systemClock, { bytesMax: 150_000, waitingMax: 0 })
app.post('/', async (c) => c.json(await readForm(c, { bodyPlaces })))
app.onError((error, c) => c.json({ code: error instanceof AppError ? error.code : String(error) }))

async function send(body: string): Promise<unknown> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }
  return (await app.request('/', { method: 'POST', headers, body })).json()
}

it('reads the fields of a form, of a name the last one', async () => {
  expect(await send('a=1&b=%C3%A4+x&a=2')).toEqual({ a: '2', b: 'ä x' })
})

it('refuses a form of more fields than a page has before it reads them', async () => {
  expect(await send('a&'.repeat(60_000))).toEqual({ code: 'invalid_request' })
})

it('takes room for a large form, and gives it back', async () => {
  const form = `a=${'x'.repeat(100_000)}`

  expect(await Promise.all([send(form), send(form)])).toEqual(
    expect.arrayContaining([{ a: 'x'.repeat(100_000) }, { code: 'overloaded' }]),
  )
  expect(await send(form)).toEqual({ a: 'x'.repeat(100_000) })
})
