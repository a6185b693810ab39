import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import type { StartedChild, ChildRequest, ChildEnd } from './started-child.ts'
import { onJsonLine, type SpawnerReply, type SpawnerRequest, writeJsonLine } from './spawner-protocol.ts'

/** Has git started by the spawner that listens at the path. Its input and output are sockets of this process. */
export function startBySpawner(socketPath: string, request: ChildRequest): StartedChild {
  const id = randomUUID()
  const open = (line: SpawnerRequest) => openPart(socketPath, line)
  const stdout = open({ id, part: 'stdout' })
  const stdin = open({ id, part: 'stdin' })
  const control = open({ id, part: 'control', request })
  const { started, outcome } = follow(control)
  const delivered = new Promise((resolve) => stdout.once('close', resolve))
  stdout.on('error', () => {})
  // Without a spawner, git ends by the end of its input.
  outcome.catch(() => {
    stdin.destroy()
    stdout.destroy()
  })
  return {
    stdin: delayInput(stdin, started),
    stdout,
    ended: outcome.then((end) => delivered.then(() => end)),
    kill: () => writeJsonLine(control, { part: 'kill' }),
    unref: () => [stdin, stdout, control].forEach((socket) => void socket.unref()),
    ref: () => [stdin, stdout, control].forEach((socket) => void socket.ref()),
  }
}

/** @returns `started` also resolves if git never starts or reads no input. */
function follow(control: Socket): { started: Promise<void>; outcome: Promise<ChildEnd> } {
  const started = Promise.withResolvers<void>()
  const outcome = Promise.withResolvers<ChildEnd>()
  const lose = (cause?: Error) => outcome.reject(new Error('The process that starts git ended. Try again.', { cause }))
  control.on('error', lose)
  control.on('close', () => lose())
  onJsonLine(control, (reply: SpawnerReply) => {
    if (reply.type === 'started') started.resolve()
    else if (reply.type === 'ended') outcome.resolve(reply.end)
    else outcome.reject(Object.assign(new Error(reply.message), { code: reply.code }))
  })
  outcome.promise.catch(() => started.resolve())
  return { started: started.promise, outcome: outcome.promise }
}

function openPart(socketPath: string, line: SpawnerRequest): Socket {
  const socket = connect(socketPath)
  writeJsonLine(socket, line)
  return socket
}

/** Holds input back until git alone reads it: the spawner reads from the socket before. */
function delayInput(socket: Socket, started: Promise<void>): Writable {
  const input = new Writable({
    async construct(done) {
      await started
      done()
    },
    write: (chunk: Uint8Array, _encoding, done) => void socket.write(chunk, done),
    // Git may have ended already, and with it the socket.
    final: (done) => void socket.end(() => done()),
    destroy(error, done) {
      socket.destroy()
      done(error)
    },
  })
  // Unread input fails as it would on a closed pipe.
  socket.on('error', (error) => input.destroy(error))
  return input
}
