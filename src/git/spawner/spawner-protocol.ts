import type { Socket } from 'node:net'
import type { ChildRequest, ChildEnd } from './started-child.ts'

/**
 * What a connection to the spawner begins with: one JSON line. A git process has three connections of the same id; those for
 * input and output become its own. Any later line on the control connection kills it.
 */
export type SpawnerRequest =
  | { id: string; part: 'stdin' | 'stdout' }
  | { id: string; part: 'control'; request: ChildRequest }

export interface KillRequest {
  part: 'kill'
}

/** What the spawner says on the control connection. Its end without `ended` or `failed` means that the spawner is gone. */
export type SpawnerReply =
  | { type: 'started' }
  | { type: 'ended'; end: ChildEnd }
  | { type: 'failed'; message: string; code: string | undefined }

/** @param take Gets what a line says: both ends are this program, and know what the other one sends. */
export function onJsonLine(socket: Socket, take: (line: never) => void): void {
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk) => {
    const lines = (text + String(chunk)).split('\n')
    text = lines.pop() ?? ''
    // The cast says what the comment above does.
    for (const line of lines) take(JSON.parse(line) as never)
  })
}

export function writeJsonLine(socket: Socket, line: SpawnerRequest | KillRequest | SpawnerReply): void {
  socket.write(`${JSON.stringify(line)}\n`)
}
