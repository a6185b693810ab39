// The program of the small process that starts git: spawner-process <path of its socket>. It lives as long as its parent.

import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { type ChildRequest, spawnChild } from './started-child.ts'
import {
  type KillRequest,
  onJsonLine,
  type SpawnerReply,
  type SpawnerRequest,
  writeJsonLine,
} from './spawner-protocol.ts'

interface ChildSockets {
  stdin?: Socket
  stdout?: Socket
  control?: Socket
  request?: ChildRequest
}

const waiting = new Map<string, ChildSockets>()
const [, , socketPath = ''] = process.argv

// A terminal sends these to the parent as well, which says when it is over.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => {
  rmSync(dirname(socketPath), { recursive: true, force: true })
  process.exit()
})

createServer((socket) => {
  // A client that hung up notices when its connections end.
  socket.on('error', () => {})
  onJsonLine(socket, (line: SpawnerRequest | KillRequest) => {
    if (line.part === 'kill') socket.emit('kill')
    else take(socket, line)
  })
}).listen(socketPath, () => process.send?.('ready'))

function take(socket: Socket, line: SpawnerRequest): void {
  const parts = waiting.get(line.id) ?? {}
  waiting.set(line.id, parts)
  parts[line.part] = socket
  if (line.part === 'control') parts.request = line.request
  socket.once('close', () => waiting.delete(line.id))
  const { stdin, stdout, control, request } = parts
  if (stdin && stdout && control && request) start({ stdin, stdout, control, request })
}

function start({ stdin, stdout, control, request }: Required<ChildSockets>): void {
  const reply = (line: SpawnerReply) => writeJsonLine(control, line)
  const fail = ({ message, code }: NodeJS.ErrnoException) => reply({ type: 'failed', message, code })
  try {
    const { ended, kill } = spawnChild(request, [stdin, stdout, 'pipe'])
    control.on('kill', kill)
    control.on('close', () => setTimeout(kill, request.cleanupMs).unref())
    void ended.then((end) => reply({ type: 'ended', end }), fail).finally(() => control.end())
  } catch (error) {
    // Arguments that no process can have, and nothing else.
    if (error instanceof Error) fail(error)
    control.end()
  }
  // From here on, git alone reads what comes.
  stdin.destroy()
  stdout.destroy()
  reply({ type: 'started' })
}
