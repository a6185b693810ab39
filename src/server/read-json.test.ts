import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, it, vi } from 'vitest'
import { AppError } from '../contract/app-error.ts'
import type { AppEnv } from './app-env.ts'
import { ByteBudget, requireJsonBody } from './read-json.ts'

const large = JSON.stringify('x'.repeat(100_000))

function setup(budget: ByteBudget) {
  const app = new OpenAPIHono<AppEnv>()
  const until = Promise.withResolvers<void>()
  const read: number[] = []
  app.post('/', requireJsonBody(1_000_000, budget), async (c) => {
    read.push(1)
    await until.promise
    return c.json((await c.req.json<string>()).length)
  })
  app.onError((error, c) => c.json({ code: error instanceof AppError ? error.code : 'bug' }, 503))
  const post = (body: string) =>
    app.request('/', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': String(body.length) },
      body,
    })
  return { post, read, finish: () => until.resolve() }
}

it('holds no more of large bodies at once than it may, refuses the next early, and frees what has ended', async () => {
  const { post, read, finish } = setup(new ByteBudget(250_000))
  const running = [post(large), post(large)]
  await vi.waitFor(() => expect(read).toHaveLength(2), { timeout: 30_000 })

  const refused = await post(large)
  finish()

  expect(await refused.json()).toEqual({ code: 'overloaded' })
  expect(await Promise.all(running.map(async (response) => (await response).json()))).toEqual([100_000, 100_000])
  expect(await (await post(large)).json()).toBe(100_000)
})

it('leaves small bodies alone', async () => {
  const { post, finish } = setup(new ByteBudget(0))
  finish()

  expect(await (await post('"small"')).json()).toBe(5)
})
