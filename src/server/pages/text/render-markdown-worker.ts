/** Worker thread that renders pages: hostile Markdown may hang it, but never the server. */
import { parentPort } from 'node:worker_threads'
import type { RenderReply, RenderRequest } from './markdown-renderer.ts'
import { renderMarkdown } from './render-markdown.ts'

parentPort?.on('message', ({ markdown, base, idPrefix }: RenderRequest) =>
  send({ kind: 'rendered', ...renderMarkdown(markdown, base, idPrefix) }),
)
send({ kind: 'ready' })

function send(reply: RenderReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  parentPort?.postMessage(reply)
}
