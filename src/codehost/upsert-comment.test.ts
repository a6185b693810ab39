import { randomBytes } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { withLeaseDeps } from '../../test/support/with-lease-deps.ts'
import { upsertComment } from './upsert-comment.ts'

it('adds one comment when several replicas say the same at once', async () => {
  const comments: string[] = []
  const host = {
    async findComment({ mark }: { mark: string }) {
      const place = comments.findIndex((body) => body.startsWith(mark))
      await turn()
      return place === -1 ? null : { commentId: String(place) }
    },
    async comment({ body }: { body: string }) {
      await turn()
      return { commentId: String(comments.push(body) - 1) }
    },
    async editComment({ commentId, body }: { commentId: string; body: string }) {
      comments[Number(commentId)] = body
    },
  }
  const mark = { name: 'drift', key: randomBytes(32), subject: 'site' }
  const { signal } = new AbortController()

  await withLeaseDeps(async (deps) => {
    const keep = (body: string) => upsertComment(deps, host, { id: '7', mark, body }, signal)
    await Promise.all(['one', 'two', 'three'].map(keep))
  })

  expect(comments).toHaveLength(1)
})
